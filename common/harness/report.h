#pragma once

#include <cstdint>
#include <ostream>
#include <string>

#include "harness/judged_run.h"
#include "harness/product_set.h"

namespace harness {

// Prints one run in at most 80 columns, except for longer file names and findings. The counts are
// those of the last run, so call this before the next one.
void printReport(std::ostream& out, const std::string& lab, const ProductSet& set,
                 const JudgedRun& run);

// Prints a run in one line, for a list of runs.
void printBrief(std::ostream& out, const std::string& lab, const ProductSet& set,
                const JudgedRun& run);

// Returns the floating-point operations of the product: a multiplication and an addition per term.
std::uint64_t flopOf(const ProductSet& set);

}  // namespace harness
