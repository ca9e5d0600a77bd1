#include "verdict/host/messages.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "verdict/record/bytes.h"

namespace host {
namespace {

template <class Bytes, class Call>
void all(Bytes* bytes, std::size_t size, const Call& call) {
    while (size > 0) {
        const ssize_t moved = call(bytes, size);
        if (moved < 0 && errno == EINTR) continue;
        if (moved <= 0) throw Closed();
        bytes += moved;
        size -= static_cast<std::size_t>(moved);
    }
}

}  // namespace

void send(int socket, Say what, std::string_view content) {
    const auto sent = [&](const char* bytes, std::size_t size) {
        return write(socket, bytes, size);
    };
    const Head head{what, static_cast<std::uint32_t>(content.size())};
    // Most are short, and one write wakes the other process once.
    constexpr std::size_t kShort = 65536;
    if (content.size() > kShort) {
        all(reinterpret_cast<const char*>(&head), sizeof head, sent);
        return all(content.data(), content.size(), sent);
    }
    std::string both(reinterpret_cast<const char*>(&head), sizeof head);
    both += content;
    all(both.data(), both.size(), sent);
}

Head receiveHead(int socket) {
    Head head{};
    receiveInto(socket, {{}, sizeof head}, &head);
    if (head.bytes > kMostContent) throw testing::Damaged("a message is longer than any right one");
    return head;
}

std::string receiveContent(int socket, const Head& head) {
    // Takes memory for the received bytes, not for the announced ones.
    constexpr std::size_t kPart = std::size_t{1} << 20;
    std::string content;
    while (content.size() < head.bytes) {
        const std::size_t had = content.size();
        const std::size_t size = std::min<std::size_t>(kPart, head.bytes - had);
        content.resize(had + size);
        receiveInto(socket, {head.what, static_cast<std::uint32_t>(size)}, content.data() + had);
    }
    return content;
}

void receiveInto(int socket, const Head& head, void* memory) {
    all(static_cast<char*>(memory), head.bytes,
        [&](char* bytes, std::size_t size) { return read(socket, bytes, size); });
}

Message receive(int socket) {
    const Head head = receiveHead(socket);
    return {head.what, receiveContent(socket, head)};
}

}  // namespace host
