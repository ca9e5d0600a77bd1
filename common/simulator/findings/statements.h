// Walks over the tokens of a source file, and finds where a statement ends.
#pragma once

#include <set>
#include <string_view>
#include <utility>

#include "simulator/translate/navigation.h"

namespace cusim {

class Statements : protected translate::Walk {
  public:
    explicit Statements(std::string_view text);

  protected:
    // Returns where the body of the function that holds a line begins and ends; two zeros for none.
    std::pair<std::size_t, std::size_t> functionAt(int line) const;
    // Returns the index after the statement that begins at i.
    std::size_t endOfStatement(std::size_t i, int depth = 0);

    std::set<std::size_t> endsDo_;  // the indices of the while after the body of a do
};

}  // namespace cusim
