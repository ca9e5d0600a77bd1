// CUDA's memory model (PTX ISA, libcu++) over the list of what the threads of a random kernel did,
// with sets of events and no clocks. It is written apart from the simulator.
#pragma once

#include <bitset>
#include <vector>

#include "noted_steps.h"
#include "random_steps.h"

namespace random_kernel {

// The grave one last.
enum Verdict { Clean, Remark, Race };

constexpr int kMostEvents = 2 * kBlocks * kActors * kSteps;
using Events = std::bitset<kMostEvents>;

class Model {
  public:
    // With `certain` alone what a thread waits for orders: no value that it happens to load does.
    explicit Model(const std::vector<NotedStep>& steps, bool certain = false);

    Verdict of(char array) const;
    // The same where what copies read is of no use: then the opposite order leaves the same memory.
    Verdict ofUsed(char array) const;
    // Tells whether all values are the same however the threads run.
    bool isDetermined() const;

  private:
    struct Event {
        int index, actor, place;
        char array;
        bool reads, writes, atomic, strong, guess, copy;
        int fenced;  // a store after a fence: 1 of the block, 2 of the device
        What what;
        Events before, weakly;
    };
    struct Actor {
        Events knows, weakly, released[2];
        int fenced = 0;
        // Copies: those of no group yet, those of each group, those that the barrier brings.
        Events open, bound;
        std::vector<Events> groups;
    };
    struct Flag {
        Events all, ofBlock[kBlocks];
    };

    static int blockOf(int actor) { return actor / kActors; }
    static bool conflict(const Event& a, const Event& b);
    static Verdict between(const Event& a, const Event& b);
    template <class Weigh>
    Verdict worst(char array, Weigh weigh) const;

    void step(int i, const NotedStep& d);
    Event& access(int i, const NotedStep& d, char array, bool reads, bool writes);
    void strong(int i, const NotedStep& d, Flag& flag, bool reads, bool writes);
    void copy(int i, const NotedStep& d);
    void waitForGroups(Actor& actor, std::size_t but);
    void arrive(int i, const NotedStep& d);
    bool isReadBefore(std::size_t a, std::size_t b) const;

    const bool certain_;
    std::vector<Event> all_;
    Actor actors_[kBlocks * kActors], blocks_[kBlocks];
    Flag flags_[kPlaces], hands_[kHands];
    std::vector<int> waiting_[kBlocks][kWhats];
};

}  // namespace random_kernel
