// How many random kernels a test draws.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <utility>

// Returns the seeds that CUSIM_KERNELS asks for: how many, or which ones, as 3748-3750.
inline std::pair<unsigned, unsigned> askedSeeds(unsigned usual) {
    const char* const given = std::getenv("CUSIM_KERNELS");
    unsigned first = 0, end = usual;
    if (given && std::sscanf(given, "%u-%u", &first, &end) == 1) end = first, first = 0;
    return {first, end};
}
