#include "verdict/host/handed_over.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "simulator/engine/runtime.h"
#include "simulator/memory/unset.h"

namespace host {
namespace {

// A smaller result is judged in no test alone, and tables of this size have many reasons.
constexpr std::size_t kLeastResult = 1024;
// A usual launch has no more words of arguments, and no more that none before it had.
constexpr std::size_t kUsualArguments = 32, kUsualNewArguments = 8;
// Host code may stage its matrices some times over, with what fills up their tiles.
constexpr std::size_t kMostStaged = 8;

template <class Visit>
void forEachWord(std::string_view bytes, const Visit& visit) {
    for (; bytes.size() >= sizeof(std::uint32_t); bytes.remove_prefix(sizeof(std::uint32_t))) {
        std::uint32_t word = 0;
        std::memcpy(&word, bytes.data(), sizeof word);
        visit(word);
    }
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
    const auto add = [&](const lab::Outputs::Piece& piece) {
        matrices_.push_back(piece.bytes(piece.object));
        return matrices_.back().size() / sizeof(std::uint32_t);
    };
    for (const lab::Outputs::Piece& piece : outputs.given()) resultWords_ += add(piece);
    for (const lab::Outputs::Piece& piece : outputs.read()) readWords_ += add(piece);
    // Where a test names no matrix that the call reads, all numbers would be others.
    isCounted_ = resultWords_ >= kLeastResult && readWords_ > 0;
}

void HandedOver::learnWords() {
    if (!words_.empty()) return;
    words_.insert(0);
    for (const std::string_view matrix : matrices_)
        forEachWord(matrix, [&](std::uint32_t word) {
            words_.insert(word);
            // The same number as a double.
            float value = 0;
            std::memcpy(&value, &word, sizeof value);
            const double wide = value;
            forEachWord({reinterpret_cast<const char*>(&wide), sizeof wide},
                        [&](std::uint32_t half) { words_.insert(half); });
        });
}

void HandedOver::noteCopy(const void* from, std::string_view bytes) {
    if (!isCounted_) return;
    copiedWords_ += bytes.size() / sizeof(std::uint32_t);
    if (stoodThere(from, bytes)) return;
    learnWords();
    forEachWord(bytes, [&](std::uint32_t word) { others_ += isOther(word); });
}

void HandedOver::noteShared(int allocation, std::string_view bytes) {
    if (!isCounted_) return;
    std::string& before = shared_[allocation];
    before.resize(bytes.size());
    for (std::size_t at = 0; at < bytes.size(); at += sizeof(std::uint32_t)) {
        const std::string_view one = bytes.substr(at, sizeof(std::uint32_t));
        if (before.compare(at, one.size(), one) == 0) continue;
        learnWords();
        forEachWord(one, [&](std::uint32_t word) { others_ += isOther(word); });
    }
    before = bytes;
}

// Tests whether a word is of no matrix, of no kernel's results, and was set at all.
bool HandedOver::isOther(std::uint32_t word) const {
    if (words_.count(word) > 0 || word == cusim::kUnsetWord) return false;
    const auto& stored = cusim::Runtime::instance().storedValues.all();
    return !std::binary_search(stored.begin(), stored.end(), word);
}

void HandedOver::noteLaunch(std::string_view arguments) {
    if (!isCounted_) return;
    ++launches_;
    const std::size_t words = arguments.size() / sizeof(std::uint32_t);
    argumentWords_ += words;
    std::vector<std::uint32_t> newOnes;
    forEachWord(arguments, [&](std::uint32_t word) {
        if (arguments_.insert(word).second) newOnes.push_back(word);
    });
    std::size_t unusual = words - std::min(words, kUsualArguments);
    if (newOnes.size() > kUsualNewArguments) {
        learnWords();
        const auto others = static_cast<std::size_t>(std::count_if(
            newOnes.begin(), newOnes.end(), [&](std::uint32_t word) { return isOther(word); }));
        unusual = std::max(unusual, others - std::min(others, kUsualNewArguments));
    }
    others_ += unusual;
}

bool HandedOver::mayBeResult() const {
    if (!isCounted_) return false;
    std::size_t words = others_;
    if (copiedWords_ > kMostStaged * (readWords_ + resultWords_)) words += copiedWords_;
    if (launches_ > resultWords_ / kUsualArguments) words += argumentWords_;
    return words >= resultWords_ / 4;
}

}  // namespace host
