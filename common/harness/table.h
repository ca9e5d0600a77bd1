#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "harness/judged_run.h"
#include "harness/product_set.h"

namespace harness {

// One row a set, at most 80 columns wide, each flushed as it is done. The widths are settled
// beforehand from the sets.
class Table {
  public:
    // Prints the header. With fewerLoads other than 0 (see Lab), the table says what that came to.
    Table(std::ostream& out, const std::vector<ProductSet>& sets, int fewerLoads = 0);

    // To be called before the next run, as the device's counts are those of the last one.
    void row(const ProductSet& set, const JudgedRun& run);

  private:
    struct Cells;
    void print(const Cells& cells);
    std::string shapeOf(const ProductSet& set) const;

    std::ostream& out_;
    int fewerLoads_;
    std::size_t set_, shape_, loads_, stores_;
};

}  // namespace harness
