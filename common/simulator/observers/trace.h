// Records everything that the threads of a small launch do, one event per line, for diagrams of
// when a thread accesses an element. All launches of one program run go to one file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simulator/observers/observer.h"
#include "simulator/simulator.h"

namespace cusim {

// One access or barrier of one simulated thread.
struct TraceEvent {
    std::uint32_t block;
    std::uint16_t thread;
    std::uint32_t step;   // number of earlier events of the thread in this launch
    std::uint32_t epoch;  // number of barriers that its block had passed
    enum What : std::uint8_t { Load, Store, Atomic, Barrier } what;  // AccessKind's values first
    bool shared;
    std::uint32_t array;  // allocation or shared array
    std::size_t offset;   // in bytes, from the array's start
    std::uint32_t bytes;  // 0 for a barrier
    Instruction instruction;
    Where at;  // of a barrier
};

class Trace final : public Observer {
  public:
    // A larger launch is left out, with a line in the file.
    static constexpr std::uint64_t kMostThreads = 4096;
    static constexpr std::size_t kMostEvents = 1000000;

    void begin(bool wanted);
    bool on() const { return on_; }
    void beginBlock(std::uint32_t threads) override;
    void access(const SeenAccess& one) override;
    void step(const Actor& actor, ThreadStep what, const Where& at, std::uintptr_t) override;
    void meet(std::uint32_t, bool atBarrier) override { epoch_ += atBarrier; }

    const std::vector<TraceEvent>& events() const { return events_; }

  private:
    void add(TraceEvent event);

    bool on_ = false;
    std::uint32_t epoch_ = 0;
    std::vector<std::uint32_t> steps_;  // by thread
    std::vector<TraceEvent> events_;
};

// Tests whether launches are traced: Options::trace names a file.
bool tracing();
// Begins a file with the names of the columns. Ends the program with an error and status 2 if the
// file cannot be written.
void beginTrace(const std::string& path);

// Adds a launch to the file; `events` may come in any order.
void writeTrace(const LaunchReport& launch, std::vector<TraceEvent> events);

}  // namespace cusim
