// Orders the steps of a program with streams as CUDA guarantees. The simulated device finishes each
// step before the next one; a card need not.
#pragma once

#include <map>
#include <vector>

#include "simulator/simulator.h"

class StreamOrder {
  public:
    explicit StreamOrder(const std::vector<cusim::StreamStep>& steps) {
        for (std::size_t i = 0; i < steps.size(); ++i) before_.push_back(take(steps[i], i));
    }

    // Returns whether step a is over before step b begins.
    bool ordered(std::size_t a, std::size_t b) const { return before_[b].count(a) > 0; }
    // Returns whether the host has waited for step a in the end.
    bool waitedFor(std::size_t a) const { return host_.count(a) > 0; }

  private:
    using Past = std::map<std::size_t, bool>;  // a set of steps

    static void join(Past& into, const Past& from) { into.insert(from.begin(), from.end()); }

    // Adds a step; returns the steps that are over when it begins.
    Past take(const cusim::StreamStep& step, std::size_t index) {
        using Step = cusim::StreamStep;
        if (step.what == Step::HostWaits) {
            if (step.event >= 0)
                join(host_, events_[step.event]);
            else if (step.stream < 0)
                for (const auto& [number, past] : streams_) join(host_, past);
            else
                join(host_, streams_[step.stream]);
            return host_;
        }
        // These are over: steps that the host has waited for, and earlier ones of the stream.
        Past past = streams_[step.stream];
        join(past, host_);
        if (step.nonBlocking) free_[step.stream] = true;
        // The default stream and the other blocking streams wait for each other.
        if (step.stream == 0) {
            for (const auto& [number, other] : streams_)
                if (!free_[number]) join(past, other);
        } else if (!step.nonBlocking) {
            join(past, streams_[0]);
        }
        if (step.what == Step::StreamWaits) join(past, events_[step.event]);
        Past& now = streams_[step.stream] = past;
        now[index] = true;
        if (step.what == Step::Record) events_[step.event] = now;
        return past;
    }

    std::vector<Past> before_;
    std::map<int, Past> streams_, events_;
    std::map<int, bool> free_;
    Past host_;
};
