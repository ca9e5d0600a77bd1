// Records the steps of a launch's threads in their order: each access with the value that was
// loaded or stored, and the bytes of the functions' frames, which hold their local variables. The
// page that replays a run is made from it (see explorer).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simulator/observers/observer.h"

namespace cusim {

// One step, as it is in the file. `words` pairs of 4-byte words follow: a place and its value.
struct RecordedStep {
    // The values of AccessKind, then those of ThreadStep.
    enum What : std::uint8_t { Load, Store, Atomic, Barrier, Returned, Failed };
    enum Flags : std::uint8_t { Shared = 1, Known = 2, Placed = 4 };

    std::uint64_t place = 0;      // return address in the program's file; 0: none
    std::uint64_t frame = 0;      // address of the calling function's frame; 0: not known
    std::uint64_t end = 0;        // where the frames of the kernel's functions end
    std::int64_t offset = 0;      // in bytes, from the array's start
    std::uint64_t value[2] = {};  // the access's bytes, if the flag Known is set
    std::uint32_t block = 0;      // linear in the grid
    std::uint32_t array = 0;      // shared array or allocation, if the flag Placed is set
    std::uint32_t epoch = 0;      // number of barriers that the block had passed
    std::uint32_t bytes = 0;      // of the access
    std::uint32_t words = 0;      // those of the frames that have changed since the thread's step
    std::uint16_t thread = 0;     // linear in the block
    std::uint8_t what = Load, flags = 0;
};
static_assert(sizeof(RecordedStep) == 72);

class Recording final : public Observer {
  public:
    static constexpr std::size_t kMostOfBlock = 100000, kMost = 1000000;

    void begin(bool wanted);
    bool on() const { return on_; }
    void beginBlock(std::uint32_t threads) override;
    void meet(std::uint32_t, bool atBarrier) override { epoch_ += atBarrier; }

    void access(const SeenAccess& one) override;
    void step(const Actor& actor, ThreadStep what, const Where&, std::uintptr_t framesEnd) override;
    // Keeps the access that the next failed step is about.
    void failing(const FailingAccess& one) override;
    // Reads the value of the last store.
    void leave() override;

    const std::vector<std::uint32_t>& bytes() const { return bytes_; }
    std::size_t steps() const { return steps_; }
    bool isCut() const { return cut_; }

  private:
    void add(RecordedStep step, const Actor& actor, const void* place, std::uintptr_t framesEnd);
    void addFrames(RecordedStep& step, const void* place, std::uintptr_t end);

    bool on_ = false, cut_ = false;
    std::uint32_t epoch_ = 0;
    std::size_t steps_ = 0, stepsOfBlock_ = 0;
    std::vector<std::uint32_t> bytes_;                // as in the file
    std::size_t beginOfBlock_ = 0;                    // the last block's first in bytes_
    std::vector<std::vector<std::uint32_t>> frames_;  // by thread, up to the end
    std::vector<std::uint32_t> changed_;              // pairs of the step that is added
    RecordedStep failing_;
    const void* failingPlace_ = nullptr;
    // The index in bytes_ of the store whose value is not read yet.
    std::size_t stored_ = SIZE_MAX;
    std::uintptr_t storedAt_ = 0;
};

// Tests whether launches are recorded: Options::recording names a file.
bool recording();

}  // namespace cusim

extern "C" {
// The frame and the stack's lowest byte of the kernel's function that has called a hook, and its
// return address; set in a program that has explorer/frames.S, else null.
struct CusimCaller {
    std::uintptr_t frame, stack;
    const void* place;
};
extern CusimCaller cusimCaller;
}
