#include "simulator/engine/quick_reads.h"

#include <sys/mman.h>

#include <algorithm>

#include "simulator/findings/give_up.h"

namespace cusim {
namespace {

// Their entries fill the largest page that a system has, of 64 KiB.
constexpr std::size_t kPage = 16384;
// Bytes of entries for each byte of the range.
constexpr std::size_t kRatio = sizeof(QuickRead) / 4;
static_assert(sizeof(QuickRead) == 16, "the hot path multiplies by 4");

}  // namespace

QuickReads::~QuickReads() {
    if (entries_) munmap(entries_, bytes_ * kRatio);
}

void QuickReads::cover(std::size_t bytes) {
    if (bytes <= bytes_) return;
    if (entries_) munmap(entries_, bytes_ * kRatio);
    // Zero pages take no memory until they are used.
    bytes_ = (std::max(bytes, 2 * bytes_) + kPage - 1) / kPage * kPage;
    forgotten_ = 0;
    void* const range = mmap(nullptr, bytes_ * kRatio, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED) giveUp("no memory for its tables; use smaller matrices");
    madvise(range, bytes_ * kRatio, MADV_DONTFORK);  // a child process runs host code
    entries_ = static_cast<QuickRead*>(range);
}

void QuickReads::forgetBelow(std::size_t bytes) {
    bytes = std::min(bytes, bytes_) / kPage * kPage;
    if (bytes <= forgotten_) return;
    madvise(reinterpret_cast<char*>(entries_) + forgotten_ * kRatio, (bytes - forgotten_) * kRatio,
            MADV_DONTNEED);
    forgotten_ = bytes;
}

}  // namespace cusim
