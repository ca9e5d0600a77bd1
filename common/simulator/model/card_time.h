// Models the time that a card would take for a launch, from what was counted of it. README.md says
// how, and how far that is from what a card was measured to take.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simulator/model/cards.h"
#include "simulator/simulator.h"

namespace cusim {

struct ModelledTime {
    const char* card;  // as in "on an H200"
    double microseconds = 0;
    std::string limitedBy;  // the part that takes longest
    struct Part {
        const char* name;
        double microseconds;
    };
    std::vector<Part> parts;
};

// Returns the time on a card, by default that of options().profile. `flop` are the launch's
// operations, where they are known. If only some blocks have run, as Options::grid says,
// `blocks` are all of them. No part is there where no warp was observed.
ModelledTime modelledTime(const LaunchReport& launch, double flop = 0, std::uint64_t blocks = 0,
                          const Card& card = cardOf(options().profile));

}  // namespace cusim
