#include "verdict/host/copies.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <string>

#include "simulator/memory/device_memory.h"

namespace host {
namespace {

constexpr std::size_t kWord = sizeof(std::uint32_t), kFour = 4 * kWord, kPage = 4096;
constexpr std::size_t kMostBytes = std::size_t{1} << 28, kLeastMatrices = 1024 / 4;
constexpr unsigned kDigits = 20;

// Makes each digit of the result depend on the whole number: splitmix64 by S. Vigna.
std::uint64_t mixed(std::uint64_t number) {
    number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9;
    number = (number ^ number >> 27) * 0x94d049bb133111eb;
    return number ^ number >> 31;
}

// Memory is full of zeros and of numbers that end in zeros, for example addresses: a weaker hash
// took some of them for a matrix's.
std::uint64_t hashOf(const char* four) {
    std::uint64_t halves[2];
    std::memcpy(halves, four, kFour);
    return mixed(mixed(halves[0]) ^ halves[1]);
}

// Tests whether these are typical numbers of a matrix, rather than counts or zeros.
bool areTypical(const char* four) {
    std::uint32_t words[4];
    std::memcpy(words, four, kFour);
    constexpr std::uint32_t kLeast = 65536;
    const auto large = std::count_if(std::begin(words), std::end(words),
                                     [](std::uint32_t word) { return word >= kLeast; });
    return large >= 2 && std::count(std::begin(words), std::end(words), words[0]) < 4;
}

bool isThere(std::uintptr_t page) {
    return access(reinterpret_cast<const char*>(page), F_OK) == 0 || errno != EFAULT;
}

// Appends the pages from start to end that are in use; all if the system does not report them.
void addUsed(std::ifstream& pagemap, std::uintptr_t start, std::uintptr_t end,
             std::vector<Range>& found) {
    std::vector<std::uint64_t> pages((end - start) / kPage, ~std::uint64_t{0});
    pagemap.clear();
    pagemap.seekg(static_cast<std::streamoff>(start / kPage * sizeof pages[0]));
    pagemap.read(reinterpret_cast<char*>(pages.data()),
                 static_cast<std::streamsize>(pages.size() * sizeof pages[0]));
    for (const std::uint64_t page : pages) {
        constexpr unsigned kPresent = 63, kSwapped = 62;
        const bool isUsed = (page >> kPresent & 1) || (page >> kSwapped & 1);
        if (isUsed && !found.empty() && found.back().second == start)
            found.back().second += kPage;
        else if (isUsed)
            found.emplace_back(start, start + kPage);
        start += kPage;
    }
}

}  // namespace

std::vector<Range> ownMemory() {
    std::ifstream maps("/proc/self/maps"), pagemap("/proc/self/pagemap", std::ios::binary);
    std::vector<Range> found;
    for (std::string line; std::getline(maps, line);) {
        unsigned long start = 0, end = 0;
        char rights[5] = "";
        if (std::sscanf(line.c_str(), "%lx-%lx %4s", &start, &end, rights) != 3) continue;
        const bool isOwn = std::string_view(rights) == "rw-p" && end - start <= kMostBytes;
        if (isOwn && !cusim::DeviceMemory::instance().inReserved(start))
            addUsed(pagemap, start, end, found);
    }
    if (found.empty())
        throw std::runtime_error("the system does not tell of this program's memory");
    return found;
}

Copies::Copies(const lab::Outputs& outputs) : seen_(std::size_t{1} << kDigits) {
    for (const auto* pieces : {&outputs.given(), &outputs.read()})
        for (const lab::Outputs::Piece& piece : *pieces) {
            const std::string_view bytes = piece.bytes(piece.object);
            for (std::size_t at = 0; at + kFour <= bytes.size(); at += kFour)
                if (areTypical(bytes.data() + at)) all_.push_back(hashOf(bytes.data() + at));
        }
    std::sort(all_.begin(), all_.end());
    for (const std::uint64_t one : all_) seen_[one >> (64 - kDigits)] = true;
}

bool Copies::has(const char* four) const {
    const std::uint64_t hash = hashOf(four);
    return seen_[hash >> (64 - kDigits)] && std::binary_search(all_.begin(), all_.end(), hash);
}

void Copies::wipe(const std::vector<Range>& memory) {
    if (all_.size() < kLeastMatrices) return;
    for (const auto& [start, end] : memory) {
        bool before = false;  // whether the page before is there
        for (std::uintptr_t page = start; page < end; page += kPage) {
            const bool here = isThere(page);
            const std::uintptr_t first = before ? page - kFour + kWord : page;
            before = here;
            if (!here) continue;
            for (std::uintptr_t at = first; at + kFour <= page + kPage; at += kWord)
                if (has(reinterpret_cast<const char*>(at)))
                    std::memset(reinterpret_cast<char*>(at), 0, kFour);
        }
    }
    std::fill(all_.begin(), all_.end(), 0);
}

}  // namespace host
