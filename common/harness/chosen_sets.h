#pragma once

#include <vector>

#include "harness/command_line.h"
#include "harness/lab_program.h"
#include "harness/product_set.h"

namespace harness {

// Returns the data sets that a command line asks for, at least one: those of --set in the given
// order, then those of --sets by name; for a table, all by name. A table and --sets skip the sets
// that the lab refuses. Throws matrix::InputError if a set cannot be used, or if none is left.
std::vector<ProductSet> chosenSets(const CommandLine& line, const Lab& lab);

// Returns a small set of the catalogue: a trace has a line for each access.
ProductSet setToTrace(const Lab& lab);

}  // namespace harness
