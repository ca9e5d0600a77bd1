#include "verdict/host/handed_over.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "simulator/memory/symbols.h"
#include "verdict/host/statics.h"

namespace host {
namespace {

constexpr std::size_t kWord = sizeof(std::uint32_t), kBits = 8 * kWord;
// This many equal bytes have one source.
constexpr std::size_t kRow = 4 * kWord;
// No test judges only a smaller result, which could be guessed from the sizes that a launch gets.
constexpr std::size_t kLeastResult = 16;
// Fewer bits per element of the result are too few to compute it.
constexpr std::size_t kBitsOfElement = 4;
// Usual host code makes no more calls. Which memory a call names is information, too.
constexpr std::size_t kUsualCalls = 24, kWordsOfCall = 4;
// This many bits may differ between the launches of an honest file, and are not kept for later
// calls.
constexpr std::size_t kUsualBits = 512;
// An honest launch computes this many elements of the result. One of a small result may compute a
// row.
constexpr std::size_t kElementsOfLaunch = 16, kElementsOfRow = 2, kSmall = 1024;

// Counts the words with information: those that have changed, and that differ from the word before
// them, unlike in filled memory.
std::size_t informative(std::string_view before, std::string_view now) {
    std::size_t words = 0;
    for (std::size_t at = 0; at < now.size(); at += kWord) {
        const std::string_view word = now.substr(at, kWord);
        const bool isNew = at >= before.size() || before.substr(at, kWord) != word;
        words += isNew && (at == 0 || now.substr(at - kWord, kWord) != word);
    }
    return words;
}

// Returns how many bytes of whole words two texts have in common at their start.
std::size_t common(std::string_view one, std::string_view other) {
    const std::size_t most = std::min(one.size(), other.size());
    const auto end = std::mismatch(one.begin(), one.begin() + most, other.begin()).first;
    return static_cast<std::size_t>(end - one.begin()) / kWord * kWord;
}

}  // namespace

HandedOver::HandedOver(const lab::Outputs& outputs, std::size_t keptBits) : keptBits_(keptBits) {
    for (const lab::Outputs::Piece& piece : outputs.given()) {
        results_.push_back(piece.bytes(piece.object));
        resultWords_ += results_.back().size() / kWord;
    }
    for (const lab::Outputs::Piece& piece : outputs.read())
        matrices_.push_back(piece.bytes(piece.object));
    // If a test names no matrix that the call reads, no decoys can replace it.
    isCounted_ = resultWords_ >= kLeastResult && !outputs.read().empty();
}

// Any other memory may contain results of the host, also from an earlier call.
bool HandedOver::isAsBefore(const void* from, std::string_view bytes) const {
    const auto* const start = static_cast<const char*>(from);
    const auto isPartOf = [&](std::string_view matrix) {
        if (start < matrix.data() || start + bytes.size() > matrix.data() + matrix.size())
            return false;
        return matrix.substr(static_cast<std::size_t>(start - matrix.data()), bytes.size()) ==
               bytes;
    };
    const auto address = reinterpret_cast<std::uintptr_t>(from);
    return std::any_of(matrices_.begin(), matrices_.end(), isPartOf) ||
           std::any_of(results_.begin(), results_.end(), isPartOf) ||
           (cusim::isReadOnlyData(address) && cusim::isReadOnlyData(address + bytes.size() - 1)) ||
           isAsAtStart(from, bytes);
}

void HandedOver::noteCopy(const void* from, std::string_view bytes) {
    if (isCounted_ && !bytes.empty() && !isAsBefore(from, bytes)) words_ += informative({}, bytes);
}

void HandedOver::noteReceived(std::string_view bytes) {
    if (isCounted_) received_.emplace_back(bytes);
}

// The host may copy received bytes back, as a whole or in rows that begin like the received ones.
void HandedOver::noteGiven(std::string_view before, std::string_view bytes) {
    if (!isCounted_) return;
    std::vector<std::string_view> all(received_.begin(), received_.end());
    for (const auto& [id, left] : shared_) all.push_back(left);
    const auto holdsAll = [&](std::string_view one) { return one.find(bytes) != one.npos; };
    if (std::any_of(all.begin(), all.end(), holdsAll)) return;
    std::multimap<std::string_view, std::string_view> byStart;
    for (const std::string_view one : all)
        if (one.size() >= kRow) byStart.emplace(one.substr(0, kRow), one);
    std::string made(before);
    made.resize(bytes.size());
    for (std::size_t at = 0; at < bytes.size(); at += kWord) {
        const auto [first, last] = byStart.equal_range(bytes.substr(at, kRow));
        std::size_t longest = 0;
        for (auto one = first; one != last; ++one)
            longest = std::max(longest, common(bytes.substr(at), one->second));
        made.replace(at, longest, bytes.substr(at, longest));
        if (longest > 0) at += longest - kWord;
    }
    words_ += informative(made, bytes);
}

void HandedOver::noteShared(int allocation, std::string_view bytes) {
    if (!isCounted_) return;
    const auto isCopy = [&](std::string_view matrix) { return bytes == matrix; };
    if (std::none_of(matrices_.begin(), matrices_.end(), isCopy))
        words_ += informative(shared_[allocation], bytes);
    shared_[allocation] = bytes;
}

void HandedOver::leaveShared(int allocation, std::string_view bytes) {
    if (isCounted_) shared_[allocation] = bytes;
}

void HandedOver::noteLaunch(std::string_view given, std::size_t informativeBits) {
    if (!isCounted_) return;
    if (launches_++ == 0)
        bitsOfFirst_ = informativeBits;
    else
        words_ += informative(lastLaunch_, given);
    lastLaunch_ = given;
}

std::size_t HandedOver::bits() const {
    const std::size_t further = calls_ - std::min(calls_, kUsualCalls);
    return bitsOfFirst_ + (words_ + further * kWordsOfCall) * kBits;
}

bool HandedOver::mayBeResult() const {
    return isCounted_ && bits() + keptBits_ >= resultWords_ * kBitsOfElement;
}

std::size_t HandedOver::bitsToKeep() const {
    const std::size_t all = bits();
    return keptBits_ + all - std::min(all, kUsualBits);
}

bool HandedOver::mayHaveTimed() const {
    const std::size_t elements = resultWords_ < kSmall ? kElementsOfRow : kElementsOfLaunch;
    return isCounted_ && launches_ > resultWords_ / elements;
}

}  // namespace host
