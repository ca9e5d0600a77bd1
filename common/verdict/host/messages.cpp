#include "verdict/host/messages.h"

#include <unistd.h>

#include <cerrno>

#include "verdict/record/bytes.h"

namespace host {
namespace {

struct Head {
    std::uint32_t what;
    std::uint32_t bytes;
};

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
    const Head head{static_cast<std::uint32_t>(what), static_cast<std::uint32_t>(content.size())};
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

Message receive(int socket) {
    const auto received = [&](char* bytes, std::size_t size) { return read(socket, bytes, size); };
    Head head{};
    all(reinterpret_cast<char*>(&head), sizeof head, received);
    if (head.bytes > kMostContent) throw testing::Damaged("a message is longer than any right one");
    Message message{static_cast<Say>(head.what), {}};
    // Takes memory for what has come, not for what is promised.
    constexpr std::size_t kPart = std::size_t{1} << 20;
    while (message.content.size() < head.bytes) {
        const std::size_t had = message.content.size();
        message.content.resize(had + std::min<std::size_t>(kPart, head.bytes - had));
        all(message.content.data() + had, message.content.size() - had, received);
    }
    return message;
}

}  // namespace host
