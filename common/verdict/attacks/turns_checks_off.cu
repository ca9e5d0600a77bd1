// Tries: to switch off what the simulated device looks for.
// Gets: refused: names the simulated device
#include "unsolved.h"

namespace cusim {
struct Options {
    bool count, races, unset, warps;
};
Options& options();
}  // namespace cusim

AT_START { cusim::options().races = false; }
