#include "verdict/host/decoys.h"

#include <algorithm>
#include <cstring>

#include "simulator/memory/device_memory.h"

namespace host {
namespace {

constexpr std::size_t kWord = sizeof(std::uint32_t);
// NaNs of either sign, whose bits no arithmetic changes.
constexpr std::uint32_t kFirst = 0x7fc00000, kSign = 0x80000000, kNumbers = 1u << 22;

std::uint32_t decoy(std::size_t number) {
    const auto low = static_cast<std::uint32_t>(number % kNumbers);
    return kFirst | low | (number / kNumbers % 2 ? kSign : 0);
}

// Calls change(word) for each whole word, which may change it.
template <class Change>
void forEachWord(char* bytes, std::size_t size, const Change& change) {
    for (std::size_t at = 0; at + kWord <= size; at += kWord) {
        std::uint32_t word = 0;
        std::memcpy(&word, bytes + at, kWord);
        change(word, at);
        std::memcpy(bytes + at, &word, kWord);
    }
}

template <class Use>
void forEachShared(const Use& use) {
    for (const auto& one : cusim::DeviceMemory::instance().allocations())
        if (one->live && one->hostMayAccess())
            use(one->id, reinterpret_cast<char*>(one->base), one->bytes);
}

template <class Use>
void forEachMatrix(const lab::Outputs& outputs, const Use& use) {
    for (const auto* pieces : {&outputs.given(), &outputs.read()})
        for (const lab::Outputs::Piece& piece : *pieces) use(piece.bytes(piece.object));
}

}  // namespace

Decoys::Decoys(const lab::Outputs& outputs) {
    forEachMatrix(outputs, [&](std::string_view bytes) { hidden(bytes); });
}

void Decoys::intoMatrices(const lab::Outputs& outputs) {
    std::size_t number = 0;
    forEachMatrix(outputs, [&](std::string_view bytes) {
        forEachWord(const_cast<char*>(bytes.data()), bytes.size(),
                    [&](std::uint32_t& word, std::size_t) { word = decoy(number++); });
    });
}

std::uint32_t Decoys::decoyOf(std::uint32_t word) {
    // If all are used, the last one replaces all further words, and stands for no number.
    const std::size_t number = std::min<std::size_t>(words_.size(), 2 * kNumbers - 1);
    if (number == words_.size()) words_.push_back(word);
    return decoy(number);
}

std::string Decoys::hidden(std::string_view bytes) {
    std::string all(bytes);
    forEachWord(all.data(), all.size(),
                [&](std::uint32_t& word, std::size_t) { word = decoyOf(word); });
    const std::size_t rest = all.size() % kWord;
    all.replace(all.size() - rest, rest, rest, '\0');
    return all;
}

std::string Decoys::shown(std::string_view bytes) const {
    std::string all(bytes);
    forEachWord(all.data(), all.size(), [&](std::uint32_t& word, std::size_t) {
        const std::size_t number = word % kNumbers + (word & kSign ? kNumbers : 0);
        if (number < words_.size() && word == decoy(number)) word = words_[number];
    });
    return all;
}

void Decoys::showShared() {
    forEachShared([&](std::uint32_t id, char* bytes, std::size_t size) {
        Shared& one = shared_[id];
        one.hidden.assign(bytes, size);
        one.shown = shown(one.hidden);
        std::memcpy(bytes, one.shown.data(), size);
    });
}

void Decoys::hideShared() {
    forEachShared([&](std::uint32_t id, char* bytes, std::size_t size) {
        const auto found = shared_.find(id);
        // The device has just allocated it, and it is empty.
        if (found == shared_.end() || found->second.shown.size() != size) return;
        const Shared& before = found->second;
        forEachWord(bytes, size, [&](std::uint32_t& word, std::size_t at) {
            std::uint32_t was = 0;
            std::memcpy(&was, before.shown.data() + at, kWord);
            if (word == was)
                std::memcpy(&word, before.hidden.data() + at, kWord);
            else
                word = decoyOf(word);
        });
        const std::size_t rest = size % kWord;
        std::memset(bytes + size - rest, 0, rest);
    });
}

}  // namespace host
