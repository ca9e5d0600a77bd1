// Measures the time of a run's kernels. The linker chooses the implementation: the simulated device
// measures nothing, because its own time says nothing about a card's.
#pragma once

#include <optional>

namespace harness {

// Times each launch from here on.
void timeLaunches();

// Ends that. Returns the sum of the launches' times in microseconds; nothing if there was no
// launch, or if the card could not time one. The card must be idle.
std::optional<double> microsecondsOfLaunches();

}  // namespace harness
