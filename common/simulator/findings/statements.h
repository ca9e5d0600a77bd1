// Walks over the tokens of a source file, and finds where a statement ends.
#pragma once

#include <set>
#include <string_view>

#include "simulator/translate/navigation.h"

namespace cusim {

class Statements : protected translate::Walk {
  public:
    explicit Statements(std::string_view text);

  protected:
    // Returns the index after the statement that begins at i.
    std::size_t endOfStatement(std::size_t i, int depth = 0);

    std::set<std::size_t> endsDo_;  // the indices of the while after the body of a do
};

// The statements of the function that holds a line; none if no function does.
class FunctionStatements : protected Statements {
  public:
    FunctionStatements(std::string_view text, int line);

  protected:
    std::size_t first_ = 0, end_ = 0;  // of the body
};

}  // namespace cusim
