// Keeps which bytes work of the device may still use. Closes pages of managed and pinned memory to
// the host from the start of such work until the host has waited for it: an access of the host that
// comes too early raises a signal. The device, and all other code of the simulator, opens them by
// DeviceMemory::Access.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "simulator/findings/finding.h"
#include "simulator/memory/byte_marks.h"
#include "simulator/memory/device_memory.h"

namespace cusim {

// Work of the device that the host has not waited for.
struct Work {
    std::string name;  // "kernel add", or the function that was called
    Place at;
    int stream = 0;
    std::uint64_t number = 0;  // in the order of the calls
};

// What one work does to these pieces of an allocation.
struct PendingUse {
    std::shared_ptr<const Work> work;
    ByteUse how;
    std::vector<Piece> pieces;  // in order

    bool writes() const { return how != ByteUse::Read; }
};

class ClosedPages {
  public:
    static ClosedPages& instance();

    // May be called without a Runtime::Turn.
    bool empty() const { return count_ == 0; }
    void add(const Allocation& allocation, PendingUse use);
    // The same for registered host memory: its pages stay open, because they may hold other memory.
    void addRegistered(std::uintptr_t base, std::size_t bytes, PendingUse use) {
        add(Allocation{base, bytes, 0, MemoryKind::Device, "", {}}, std::move(use));
    }
    // Returns the last conflicting use (same byte, at least one of both writes) by work for which
    // `ended` is false, and that byte. Returns a use without work if there is none.
    std::pair<PendingUse, std::size_t> meeting(const Allocation& allocation, const PendingUse& use,
                                               const std::function<bool(const Work&)>& ended) const;
    // Forgets the work for which `ended` is true, and opens pages that no other work uses.
    void forget(const std::function<bool(const Work&)>& ended);
    void forget(std::uintptr_t base);
    // Opens the page of an address. Returns the use that the host should have waited for, without
    // work if there is none; nothing if the page is open.
    std::optional<PendingUse> openAt(std::uintptr_t address);
    // Returns how many pages were opened this way.
    std::uint64_t openings() const { return openings_; }
    // Returns that use for an instrumented access, for example to a variable, which has no pages of
    // its own.
    PendingUse useAt(std::uintptr_t address, bool stores) const;
    // Tests whether this process closed the pages, and not the one that it was forked from.
    bool areOwn() const;

    void forEachUse(
        const std::function<void(std::uintptr_t start, const PendingUse& use)>& visit) const;
    // From now on all pages stay open, because host code runs in another process, or are closed
    // again.
    void leaveOpen(bool open) { leavesOpen_ = open; }

    // While lent, all pages are open.
    void lend();
    void takeBack();

  private:
    struct Closed {
        std::size_t bytes;
        bool hasPages;
        std::vector<PendingUse> uses = {};
        std::vector<bool> opened;     // pages that the host has used elsewhere
        std::vector<int> protection;  // by page
    };
    static void plan(Closed& one);
    void close(std::uintptr_t base, const Closed& one) const;
    static void open(std::uintptr_t base, const Closed& one);

    std::map<std::uintptr_t, Closed> closed_;  // by the allocation's start
    std::atomic<std::size_t> count_{0};        // of these
    std::uint64_t openings_ = 0;
    bool lent_ = false, leavesOpen_ = false;
    pid_t process_ = 0;
};

}  // namespace cusim
