// Walks over the tokens of a source file, and finds where a statement ends.
#pragma once

#include <set>
#include <string_view>
#include <vector>

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

    // Returns the line of the innermost if or loop around a line whose condition has these
    // characters; 0 for none.
    int lineOfCondition(int line, std::string_view characters);

  protected:
    // Tests whether the statement at i leaves the function, or a round of a loop.
    bool isLeftAt(std::size_t i);
    bool isAround(std::size_t i, const std::vector<int>& lines);
    // Returns the index at which the last declaration of a name up to here begins, or the function.
    std::size_t declarationOf(std::size_t i) const;
    // Returns the index at which the value of a variable begins if it is set at this token, or
    // end_.
    std::size_t beginOfValue(std::size_t set) const;

    std::size_t first_ = 0, end_ = 0;  // of the body
};

}  // namespace cusim
