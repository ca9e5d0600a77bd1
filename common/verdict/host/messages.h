// What the process of a student's host code and that of the device say to each other: messages on a
// socket, each with its length and its kind. Either side may end in the middle of one.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace host {

// In brackets: what it holds.
enum class Say : std::uint32_t {
    // From the host.
    Call = 1,  // a function of the runtime is called [its number, its arguments]
    Bytes,     // what Read asked for [the bytes]
    Called,    // the function of CallBack has come to its end []
    Finding,   // something is wrong with host code [the finding]
    Remark,    // the student's code tried what it must not [number of a system call]
    Waited,    // host code has waited for all in its own way []
    Heard,     // host code has waited for the functions of CallBack []
    Done,      // the call of student code has ended [the outcome, the outputs]
    // From the device.
    Answer,    // what a call gives [its result, what it stores by pointers, its error's cause]
    Read,      // bytes of the host are wanted [address, number]
    Write,     // bytes are for the host [address, the bytes]
    CallBack,  // a function of the host is to be called [its address, two arguments]
};

struct Head {
    Say what;
    std::uint32_t bytes;  // of the content
};

struct Message {
    Say what;
    std::string content;
};

// Thrown where the other side has ended.
struct Closed : std::runtime_error {
    Closed() : std::runtime_error("the other process has ended") {}
};

// The longest content that is taken: more than any lab copies at once.
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
