#include "simulator/memory/byte_marks.h"

#include <sys/mman.h>

#include <algorithm>

#include "simulator/findings/give_up.h"

namespace cusim {
namespace {

// Returns the end of the run of equal marks that starts at `begin`.
std::size_t endOfMarks(const std::uint8_t* marks, std::size_t begin, std::size_t count) {
    const std::uint64_t same = 0x0101010101010101ull * marks[begin];
    std::size_t at = begin;
    for (std::uint64_t eight; at + sizeof eight <= count; at += sizeof eight) {
        std::memcpy(&eight, marks + at, sizeof eight);
        if (eight != same) break;
    }
    while (at < count && marks[at] == marks[begin]) ++at;
    return at;
}

std::vector<Piece> markedPieces(const std::uint8_t* marks, Piece within) {
    constexpr std::size_t kMost = std::size_t{1} << 16;
    std::vector<Piece> pieces;
    const auto add = [&](std::size_t begin, std::size_t end) {
        if (!pieces.empty() && pieces.back().end == begin)
            pieces.back().end = end;
        else
            pieces.push_back({begin, end});
    };
    const std::size_t words = (within.end + 3) / 4;
    for (std::size_t word = within.begin / 4; word < words && pieces.size() < kMost;) {
        const std::uint8_t mark = marks[word];
        const std::size_t end = endOfMarks(marks, word, words);
        if (mark == kWholeWord) add(4 * word, std::min(4 * end, within.end));
        if (mark == kWholeWord || mark == 0) word = end;
        for (; word < end && pieces.size() < kMost; ++word)
            for (std::size_t byte = 0; byte < 4; ++byte)
                if ((mark >> byte & 1) != 0) add(4 * word + byte, 4 * word + byte + 1);
    }
    return pieces;
}

}  // namespace

UsedBytes::UsedBytes(std::size_t bytes) : words_((bytes + 3) / 4) {
    void* const made = mmap(nullptr, kByteUses * words_, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (made == MAP_FAILED) giveUp("no address space left; raise the limit (ulimit -v)");
    marks_ = static_cast<std::uint8_t*>(made);
}

UsedBytes::~UsedBytes() { munmap(marks_, kByteUses * words_); }

std::vector<Piece> UsedBytes::take(ByteUse use, Piece within) {
    std::vector<Piece> pieces = markedPieces(marks(use), within);
    if (!pieces.empty())
        std::memset(marks(use) + within.begin / 4, 0, (within.end + 3) / 4 - within.begin / 4);
    return pieces;
}

}  // namespace cusim
