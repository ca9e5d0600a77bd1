// The messages between the process of student host code and that of the device, on a socket, each
// with its length and its kind. Either side may end in the middle of one.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace host {

// In brackets: the content.
enum class Say : std::uint32_t {
    // From the host.
    Call = 1,  // a function of the runtime is called [its number, its arguments]
    Bytes,     // the answer to Read [the bytes]
    Called,    // the function of CallBack has ended []
    Finding,   // an error in host code [the finding]
    Remark,    // student code tried a forbidden call [number of a system call]
    Waited,    // host code has waited for everything, or read a value []
    Heard,     // host code has waited for the functions of CallBack []
    Done,      // the call of student code has ended [the outcome, the outputs]
    // From the device.
    Answer,    // the end of a call [its result, what it stores by pointers, its error's cause]
    Read,      // requests bytes of the host [address, number]
    Write,     // stores bytes in the host [address, the bytes]
    CallBack,  // requests a call of a host function [its address, two arguments]
};

struct Head {
    Say what;
    std::uint32_t bytes;  // of the content
};

struct Message {
    Say what;
    std::string content;
};

// Thrown if the other side has ended.
struct Closed : std::runtime_error {
    Closed() : std::runtime_error("the other process has ended") {}
};

// The longest accepted content: more than any lab copies at once.
constexpr std::size_t kMostContent = std::size_t{1} << 30;

// Send and receive one message by this descriptor; throw Closed. receive() throws
// testing::Damaged for a content longer than kMostContent.
void send(int socket, Say what, std::string_view content);
Message receive(int socket);

// The two halves of receive(), and one that puts all of the content into memory of its size.
Head receiveHead(int socket);
std::string receiveContent(int socket, const Head& head);
void receiveInto(int socket, const Head& head, void* memory);

}  // namespace host
