#include "simulator/memory/closed_pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

namespace cusim {
namespace {

constexpr int kOpen = PROT_READ | PROT_WRITE;

std::size_t pageBytes() {
    static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return bytes;
}

std::size_t pagesOf(std::size_t bytes) { return (bytes + pageBytes() - 1) / pageBytes(); }

// Returns the bytes of each page that these uses have, or those of them that write.
std::vector<std::size_t> usedOf(const std::vector<PendingUse>& uses, bool writes,
                                std::size_t bytes) {
    std::vector<Piece> pieces;
    for (const PendingUse& use : uses)
        if (use.writes() || !writes)
            pieces.insert(pieces.end(), use.pieces.begin(), use.pieces.end());
    std::sort(pieces.begin(), pieces.end(),
              [](const Piece& one, const Piece& other) { return one.begin < other.begin; });
    std::vector<std::size_t> used(pagesOf(bytes));
    std::size_t at = 0;
    for (const Piece& piece : pieces)
        for (at = std::max(at, piece.begin); at < piece.end;) {
            const std::size_t page = at / pageBytes();
            const std::size_t end = std::min(piece.end, (page + 1) * pageBytes());
            used[page] += end - at;
            at = end;
        }
    return used;
}

// Returns which pages are closed for these uses. A page at their edge that holds other bytes, too,
// stays open: a right program may pass those to the system, which raises no signal and fails.
std::vector<bool> closedBy(const std::vector<PendingUse>& uses, bool writes, std::size_t bytes) {
    const std::vector<std::size_t> used = usedOf(uses, writes, bytes);
    const std::size_t pages = used.size();
    std::vector<bool> closes(pages);
    for (std::size_t page = 0; page < pages; ++page) {
        const bool whole = used[page] == std::min(pageBytes(), bytes - page * pageBytes());
        const bool inside =
            page > 0 && used[page - 1] > 0 && page + 1 < pages && used[page + 1] > 0;
        closes[page] = used[page] > 0 && (whole || inside);
    }
    return closes;
}

// Returns the last use of a byte that writes it, or that only reads it.
PendingUse findIn(const std::vector<PendingUse>& uses, std::size_t offset, bool writing,
                  bool reading) {
    const auto holds = [&](const Piece& piece) {
        return piece.begin <= offset && offset < piece.end;
    };
    const auto found = std::find_if(uses.rbegin(), uses.rend(), [&](const PendingUse& use) {
        return (use.writes() ? writing : reading) &&
               std::any_of(use.pieces.begin(), use.pieces.end(), holds);
    });
    return found == uses.rend() ? PendingUse{} : *found;
}

// Returns the first byte that both have, or SIZE_MAX.
std::size_t firstOfBoth(const std::vector<Piece>& these, const std::vector<Piece>& those) {
    for (auto one = these.begin(), other = those.begin();
         one != these.end() && other != those.end();) {
        const std::size_t begin = std::max(one->begin, other->begin);
        if (begin < std::min(one->end, other->end)) return begin;
        one->end < other->end ? ++one : ++other;
    }
    return SIZE_MAX;
}

// Tests whether one of these pieces holds each of those.
bool cover(const std::vector<Piece>& these, const std::vector<Piece>& those) {
    auto one = these.begin();
    return std::all_of(those.begin(), those.end(), [&](const Piece& other) {
        while (one != these.end() && one->end < other.end) ++one;
        return one != these.end() && one->begin <= other.begin;
    });
}

// Tests whether everything that must wait for an earlier use must wait for a later one, too.
bool standsFor(const PendingUse& later, const PendingUse& earlier) {
    return later.work->stream == earlier.work->stream &&
           (later.how == ByteUse::Write || later.how == earlier.how) &&
           cover(later.pieces, earlier.pieces);
}

}  // namespace

ClosedPages& ClosedPages::instance() {
    static auto* const pages = new ClosedPages;  // outlives static destructors
    return *pages;
}

void ClosedPages::open(std::uintptr_t base, const Closed& one) {
    if (one.hasPages) mprotect(reinterpret_cast<void*>(base), one.bytes, kOpen);
}

// Chooses the pages to protect, again if the uses have changed.
void ClosedPages::plan(Closed& one) {
    if (!one.hasPages) return;
    one.protection.assign(pagesOf(one.bytes), kOpen);
    const std::vector<bool> toAll = closedBy(one.uses, true, one.bytes);
    const std::vector<bool> toStores = closedBy(one.uses, false, one.bytes);
    for (std::size_t page = 0; page < one.protection.size(); ++page)
        if (!one.opened[page])
            one.protection[page] = toAll[page] ? PROT_NONE : toStores[page] ? PROT_READ : kOpen;
}

// Protects the pages that uses are pending on. All are open.
void ClosedPages::close(std::uintptr_t base, const Closed& one) const {
    if (!one.hasPages || leavesOpen_) return;
    const auto end = one.protection.end();
    for (auto first = one.protection.begin(); first != end;) {
        const int wanted = *first;
        const auto next = std::find_if(first, end, [&](int other) { return other != wanted; });
        const auto page = static_cast<std::size_t>(first - one.protection.begin());
        const auto pages = static_cast<std::size_t>(next - first);
        if (wanted != kOpen)
            mprotect(reinterpret_cast<void*>(base + page * pageBytes()), pages * pageBytes(),
                     wanted);
        first = next;
    }
}

void ClosedPages::add(const Allocation& allocation, PendingUse use) {
    constexpr std::size_t kMostUses = 256;
    process_ = getpid();
    Closed& one = closed_[allocation.base];
    one.bytes = allocation.bytes;
    one.hasPages = allocation.hasPagesOfHost();
    one.opened.assign(one.hasPages ? pagesOf(one.bytes) : 0, false);
    one.uses.erase(
        std::remove_if(one.uses.begin(), one.uses.end(),
                       [&](const PendingUse& earlier) { return standsFor(use, earlier); }),
        one.uses.end());
    if (one.uses.size() == kMostUses) one.uses.erase(one.uses.begin());
    one.uses.push_back(std::move(use));
    count_ = closed_.size();
    plan(one);
    if (lent_) return;
    open(allocation.base, one);
    close(allocation.base, one);
}

std::pair<PendingUse, std::size_t> ClosedPages::meeting(
    const Allocation& allocation, const PendingUse& use,
    const std::function<bool(const Work&)>& ended) const {
    const auto found = closed_.find(allocation.base);
    if (found == closed_.end()) return {};
    const std::vector<PendingUse>& uses = found->second.uses;
    for (auto other = uses.rbegin(); other != uses.rend(); ++other) {
        const bool both = use.how == other->how && use.how != ByteUse::Write;  // reads, or atomics
        if (both || (!use.writes() && !other->writes()) || ended(*other->work)) continue;
        const std::size_t byte = firstOfBoth(use.pieces, other->pieces);
        if (byte != SIZE_MAX) return {*other, byte};
    }
    return {};
}

void ClosedPages::forget(const std::function<bool(const Work&)>& ended) {
    for (auto at = closed_.begin(); at != closed_.end();) {
        auto& [base, one] = *at;
        const auto left = std::remove_if(one.uses.begin(), one.uses.end(),
                                         [&](const PendingUse& use) { return ended(*use.work); });
        if (left != one.uses.end()) {
            one.uses.erase(left, one.uses.end());
            plan(one);
            open(base, one);
            if (!lent_) close(base, one);
        }
        at = one.uses.empty() ? closed_.erase(at) : std::next(at);
    }
    count_ = closed_.size();
}

void ClosedPages::forget(std::uintptr_t base) {
    const auto found = closed_.find(base);
    if (found == closed_.end()) return;
    open(found->first, found->second);
    closed_.erase(found);
    count_ = closed_.size();
}

std::optional<PendingUse> ClosedPages::openAt(std::uintptr_t address) {
    auto after = closed_.upper_bound(address);
    if (after == closed_.begin()) return std::nullopt;
    auto& [base, one] = *std::prev(after);
    const std::size_t offset = address - base, page = offset / pageBytes();
    if (page >= one.protection.size() || one.protection[page] == kOpen) return std::nullopt;
    const int before = std::exchange(one.protection[page], kOpen);
    one.opened[page] = true;
    ++openings_;
    // Opening a page in the middle takes two more mappings, and a process has a limited number;
    // opening all takes none.
    if (mprotect(reinterpret_cast<void*>(base + page * pageBytes()), pageBytes(), kOpen) != 0) {
        open(base, one);
        one.opened.assign(one.opened.size(), true);
        one.protection.assign(one.protection.size(), kOpen);
    }
    // If the page may be read, the signal is from a write; otherwise from a read or a write.
    return findIn(one.uses, offset, before == PROT_NONE, before != PROT_NONE);
}

PendingUse ClosedPages::useAt(std::uintptr_t address, bool stores) const {
    const auto after = closed_.upper_bound(address);
    if (after == closed_.begin()) return {};
    const auto& [base, one] = *std::prev(after);
    return findIn(one.uses, address - base, true, stores);
}

bool ClosedPages::areOwn() const { return process_ == getpid(); }

void ClosedPages::forEachUse(
    const std::function<void(std::uintptr_t start, const PendingUse& use)>& visit) const {
    for (const auto& [base, one] : closed_)
        for (const PendingUse& use : one.uses) visit(base, use);
}

void ClosedPages::lend() {
    lent_ = true;
    for (const auto& [base, one] : closed_) open(base, one);
}

void ClosedPages::takeBack() {
    lent_ = false;
    for (const auto& [base, one] : closed_) close(base, one);
}

}  // namespace cusim
