// What is said of code that does not come to an end: the loop that it stays in.
#pragma once

#include <vector>

#include "simulator/core/finding.h"
#include "simulator/core/source_lines.h"
#include "simulator/core/watchdog.h"

namespace cusim {

// Of a thread of a kernel, or of host code, that was stopped by the watchdog. `frames` are its
// callers, the innermost first; in `seen` is where it was when it was looked at before.
Finding endlessThread(const std::vector<SourcePlace>& frames, const Progress& seen);
Finding endlessHost(const std::vector<SourcePlace>& frames, const Progress& seen);

// Of a block that has passed the barrier at this line so many times.
Finding endlessBarriers(const Where& barrier, std::uint64_t times);

}  // namespace cusim
