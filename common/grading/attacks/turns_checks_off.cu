// Tries: to switch off what the simulated device looks for.
// Gets: refused: uses cusim::options(): it belongs to the simulated device or to the tests
#include "unsolved.h"

namespace cusim {
struct Options {
    bool count, races, unset, warps;
};
Options& options();
}  // namespace cusim

struct AtStart {
    AtStart() { cusim::options().races = false; }
} atStart;
