// Describes endless code by the loop in which it stays.
#pragma once

#include <vector>

#include "simulator/engine/watchdog.h"
#include "simulator/findings/finding.h"
#include "simulator/findings/source_lines.h"

namespace cusim {

// Describe code that the watchdog stopped. `frames` are its callers, the innermost first; `seen`
// holds where earlier looks found it.
Finding endlessThread(const std::vector<SourcePlace>& frames, const Progress& seen);
Finding endlessHost(const std::vector<SourcePlace>& frames, const Progress& seen);

// Describes threads that wait here, by an atomic or volatile access, for what none of them stores.
Finding endlessWait(const Place& at, bool together);
// Describes the same where the host may store it, for which no launch waits here.
Finding waitForHost(const Place& at);
// Describes a block that has passed over `most` barriers, the last one at this line.
Finding endlessBarriers(const Where& barrier, std::uint64_t most);

}  // namespace cusim
