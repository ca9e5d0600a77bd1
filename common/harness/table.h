#pragma once

#include <ostream>
#include <vector>

#include "harness/judged_run.h"
#include "harness/product_set.h"

namespace harness {

// One row a set, at most 80 columns wide, each flushed as it is done. The widths are settled
// beforehand from the sets.
class Table {
  public:
    // Prints the header.
    Table(std::ostream& out, const std::vector<ProductSet>& sets);

    // To be called before the next run, as the device's counts are those of the last one.
    void row(const ProductSet& set, const JudgedRun& run);

  private:
    struct Cells;
    void print(const Cells& cells);

    std::ostream& out_;
    std::size_t set_, shape_, loads_, stores_;
};

}  // namespace harness
