// Describes endless code by the loop in which it stays.
#pragma once

#include <vector>

#include "simulator/engine/watchdog.h"
#include "simulator/findings/finding.h"
#include "simulator/findings/source_lines.h"

namespace cusim {

// Describe code that the watchdog stopped. `frames` are its callers, the innermost first; `seen`
// has the addresses of earlier samples.
Finding endlessThread(const std::vector<SourceLine>& frames, const Progress& seen);
Finding endlessHost(const std::vector<SourceLine>& frames, const Progress& seen);

// Describes threads that wait here, by an atomic or volatile access, for a value that none of them
// stores.
Finding endlessWait(const Place& at, bool together);
// Describes the same if host code may store it: a simulated launch does not wait for the host.
Finding waitForHost(const Place& at);
// Describes a block that has passed more than `most` barriers, the last one at this line.
Finding endlessBarriers(const Where& barrier, std::uint64_t most);

}  // namespace cusim
