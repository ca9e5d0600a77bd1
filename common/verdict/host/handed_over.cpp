#include "verdict/host/handed_over.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <string>

namespace host {
namespace {

constexpr std::size_t kWord = sizeof(std::uint32_t), kBits = 8 * kWord;
// A smaller result is judged in no test alone, and may be told by the sizes that a launch is given.
constexpr std::size_t kLeastResult = 16;
// Fewer bits an element of the result are too few to tell it by.
constexpr std::size_t kBitsOfElement = 4;
// Usual host code makes no more calls. Which memory a call names tells something, too.
constexpr std::size_t kUsualCalls = 24, kWordsOfCall = 4;
// An honest launch gives so many elements of the result. One of a small result may give a row.
constexpr std::size_t kElementsOfLaunch = 16, kElementsOfRow = 2, kSmall = 1024;

// Counts the words that tell something: those that are other than before, and not one more like the
// one in front of them, as where memory is filled.
std::size_t telling(std::string_view before, std::string_view now) {
    std::size_t words = 0;
    for (std::size_t at = 0; at < now.size(); at += kWord) {
        const std::string_view word = now.substr(at, kWord);
        const bool isNew = at >= before.size() || before.substr(at, kWord) != word;
        words += isNew && (at == 0 || now.substr(at - kWord, kWord) != word);
    }
    return words;
}

// Tests whether these bytes stood at this address before the call: this process has all memory as
// it was then. The kernel looks, since an address may be nobody's.
bool stoodThere(const void* from, std::string_view bytes) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return false;
    constexpr std::size_t kPart = 65536;
    std::string there(kPart, '\0');
    const auto* at = static_cast<const char*>(from);
    while (!bytes.empty()) {
        const ssize_t written = write(ends[0], at, std::min(bytes.size(), kPart));
        if (written <= 0 || read(ends[1], there.data(), kPart) != written) break;
        const auto size = static_cast<std::size_t>(written);
        if (there.compare(0, size, bytes.substr(0, size)) != 0) break;
        bytes.remove_prefix(size);
        at += size;
    }
    close(ends[0]);
    close(ends[1]);
    return bytes.empty();
}

}  // namespace

HandedOver::HandedOver(const lab::Outputs& outputs) {
    for (const lab::Outputs::Piece& piece : outputs.given())
        resultWords_ += piece.bytes(piece.object).size() / kWord;
    for (const lab::Outputs::Piece& piece : outputs.read())
        matrices_.push_back(piece.bytes(piece.object));
    // Where a test names no matrix that the call reads, no decoys can stand in its place.
    isCounted_ = resultWords_ >= kLeastResult && !outputs.read().empty();
}

void HandedOver::noteCopy(const void* from, std::string_view bytes) {
    if (isCounted_ && !stoodThere(from, bytes)) words_ += telling({}, bytes);
}

void HandedOver::noteShared(int allocation, std::string_view bytes) {
    if (!isCounted_) return;
    const auto isCopy = [&](std::string_view matrix) { return bytes == matrix; };
    if (std::none_of(matrices_.begin(), matrices_.end(), isCopy))
        words_ += telling(shared_[allocation], bytes);
    shared_[allocation] = bytes;
}

void HandedOver::leaveShared(int allocation, std::string_view bytes) {
    if (isCounted_) shared_[allocation] = bytes;
}

void HandedOver::noteLaunch(std::string_view given, std::size_t tellingBits) {
    if (!isCounted_) return;
    if (launches_++ == 0)
        bitsOfFirst_ = tellingBits;
    else
        words_ += telling(lastLaunch_, given);
    lastLaunch_ = given;
}

bool HandedOver::mayBeResult() const {
    const std::size_t further = calls_ - std::min(calls_, kUsualCalls);
    const std::size_t bits = bitsOfFirst_ + (words_ + further * kWordsOfCall) * kBits;
    return isCounted_ && bits >= resultWords_ * kBitsOfElement;
}

bool HandedOver::mayHaveTimed() const {
    const std::size_t elements = resultWords_ < kSmall ? kElementsOfRow : kElementsOfLaunch;
    return isCounted_ && launches_ > resultWords_ / elements;
}

}  // namespace host
