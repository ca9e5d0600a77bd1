#pragma once

#include <cstdint>
#include <ostream>
#include <string>

#include "harness/judged_run.h"
#include "harness/product_set.h"

namespace harness {

// What one run has to tell, for people: at most 80 columns, but for file names and findings that
// are longer. To be called before the next run, as the device's counts are those of the last one.
void printReport(std::ostream& out, const std::string& lab, const ProductSet& set,
                 const JudgedRun& run);

// Floating-point operations of the product: a multiplication and an addition for each term.
std::uint64_t flopOf(const ProductSet& set);

}  // namespace harness
