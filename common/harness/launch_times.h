// Measures what the kernels of a run take. The linker chooses the implementation: the simulated
// device measures nothing, as its own time says nothing of a card's.
#pragma once

#include <optional>

namespace harness {

// Times each launch from here on.
void timeLaunches();

// Ends that. Returns the microseconds that the launches took, each by itself, together; nothing
// where there was none, or where the card could not time one. The card must be idle.
std::optional<double> microsecondsOfLaunches();

}  // namespace harness
