// Observes warps as a whole: which accesses of the 32 lanes form one request; how many sectors of
// device memory, passes over the banks of shared memory or passes through constant memory it takes;
// which warps diverge. The simulator runs lanes one after the other, so it keeps their accesses
// until all lanes of a warp have reached the next barrier. Then it matches them by instruction and
// by how often each lane had executed it.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "simulator/memory/access.h"
#include "simulator/simulator.h"

namespace cusim {

class Warps {
  public:
    // Begins a launch. `constant` marks the allocations that are constant memory.
    void begin(std::vector<bool> constant, std::size_t sharedArrays);
    void beginBlock(std::uint32_t threads);

    // `address` is one of device memory, or an offset into the block's shared memory.
    void note(std::uint16_t thread, Instruction instruction, std::uintptr_t address,
              std::size_t bytes, std::uint32_t array, bool shared) {
        // Gives up the block if a thread makes this many accesses without a barrier.
        std::vector<Item>& lane = lanes_[thread];
        if (lane.size() >= kMostItems) dropped_ = true;
        if (dropped_) return;
        lane.emplace_back(address, instruction, array << 1 | static_cast<std::uint32_t>(shared),
                          static_cast<std::uint32_t>(bytes), thread);
    }
    // Notes that the last access of a thread belongs to an asynchronous copy.
    void noteCopy(std::uint16_t thread) {
        if (thread < lanes_.size() && !lanes_[thread].empty()) lanes_[thread].back().copy = true;
    }
    // Ends the epoch of a warp whose lanes have all reached a barrier or their end.
    // `lanesLeft` is a mask of those that have not returned.
    void endEpoch(std::uint32_t warp, std::uint32_t lanesLeft);
    void endBlock();

    const WarpReport& total() const { return total_; }
    const RequestCounts& requests() const { return requests_; }
    const WarpReport& global(std::size_t allocation) const { return global_[allocation]; }
    const WarpReport& shared(std::size_t array) const { return shared_[array]; }

  private:
    static constexpr std::size_t kMostItems = 16384;

    struct Item {
        // Without it, an item is copied in larger pieces than it is written in, which is slow.
        Item(std::uintptr_t at, Instruction by, std::uint32_t in, std::uint32_t size,
             std::uint16_t thread)
            : address(at),
              instruction(by),
              arrayAndSpace(in),
              bytes(size),
              lane(static_cast<std::uint8_t>(thread % 32)) {}
        std::uintptr_t address;
        Instruction instruction;
        std::uint32_t arrayAndSpace;
        std::uint32_t bytes;
        std::uint8_t lane;
        bool copy = false;  // of an asynchronous copy
    };
    struct Passes {
        std::size_t all = 0, conflicts = 0;
    };
    using Request = std::vector<const Item*>;

    bool inStep(std::uint32_t first, std::uint32_t end) const;
    static std::size_t distinctUnits(const Request& request, std::uintptr_t size);
    static Passes passes(const Request& request, bool joins);
    static std::size_t rows(const Request& request);
    static std::size_t distinctAddresses(const Request& request);
    void addRequest(const Request& request);
    bool again(const Request& request);
    void noteSectors(const Request& request);
    void countAlike(const Request& request, const WarpReport& one);

    std::vector<std::vector<Item>> lanes_;  // by thread of the block
    std::vector<std::uint32_t> alive_;      // by warp: mask of lanes that had not returned
    std::vector<bool> diverged_;
    std::uint32_t threads_ = 0;
    bool dropped_ = false;  // this block is left out of the report
    WarpReport total_;
    RequestCounts requests_;
    std::vector<bool> constant_;  // by allocation
    std::vector<WarpReport> global_, shared_;
    Request request_;  // a member to keep its memory
    // For this epoch: the addresses of the first and last lane when an instruction was last met.
    std::unordered_map<Instruction, std::pair<std::uintptr_t, std::uintptr_t>> before_;
    // For this epoch, if requests are counted by their kind: hashes of their addresses.
    bool countsKinds_ = false;
    std::unordered_set<std::uint64_t> met_;
    // For this block: the sectors touched so far, with repetitions; the first ones are sorted.
    std::vector<std::uintptr_t> sectors_;
    std::size_t sortedSectors_ = 0;
};

void add(WarpReport& sum, const WarpReport& more);
void add(RequestCounts& sum, const RequestCounts& more);

}  // namespace cusim
