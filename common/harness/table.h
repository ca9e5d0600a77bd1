#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "harness/judged_run.h"
#include "harness/product_set.h"

namespace harness {

// Prints one row per set, at most 80 columns wide, and flushes each. The constructor takes the
// column widths from the sets.
class Table {
  public:
    // Prints the header. With fewerLoads other than 0 (see Lab), a column compares the loads with
    // it.
    Table(std::ostream& out, const std::string& lab, const std::vector<ProductSet>& sets,
          int fewerLoads = 0);

    // Prints one row. The counts are those of the last run, so call this before the next one.
    void row(const ProductSet& set, const JudgedRun& run);

  private:
    struct Column {
        const char *above, *title;
        std::size_t width;
        std::string (*aligned)(const std::string& text, std::size_t width);
    };

    void print(const std::vector<std::string>& cells);
    std::string shapeOf(const ProductSet& set) const;

    std::ostream& out_;
    std::string lab_;
    int fewerLoads_;
    std::vector<Column> columns_;
};

}  // namespace harness
