// Computes the value of a variable of a kernel in the running thread, if its source leaves no
// doubt.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "simulator/include/cusim/builtins.h"
#include "simulator/translate/navigation.h"

namespace cusim {

struct IndexValue {
    long long value;
    int line;  // of the definition
};

// A whole number that the launch passes to the kernel, by the parameter's name.
struct NumberParameter {
    std::string name;
    long long value;
};

// The built-in variables of a thread, by default of the running one.
struct BuiltIns {
    uint3 thread = threadIdx, block = blockIdx;
    dim3 ofBlock = blockDim, ofGrid = gridDim;
    bool inFirstRound = false;  // of each for that declares and counts its variable in one line
};

class IndexValues : translate::Walk {
  public:
    // The body is the tokens from `first` to `end`, without blanks; `directives` are the file's.
    IndexValues(std::vector<translate::Token> tokens, std::size_t first, std::size_t end,
                std::vector<std::string_view> directives, std::vector<NumberParameter> parameters,
                const BuiltIns& at = {})
        : Walk(std::move(tokens)),
          first_(first),
          end_(end),
          directives_(std::move(directives)),
          parameters_(std::move(parameters)),
          at_(at) {}

    // Returns nothing for a variable that is set twice, is too narrow, or depends on anything but
    // built-in variables, numbers, macros for numbers, parameters and other such variables.
    std::optional<IndexValue> of(std::string_view name) const { return variable(name, 0); }

    // Returns the line that counts a variable up or down, if another line declares it; else 0.
    int changedAt(std::string_view name) const;

  private:
    using Number = std::optional<long long>;

    std::optional<IndexValue> variable(std::string_view name, int depth) const;
    bool isWide(std::size_t name, long long value) const;
    bool isChanged(std::size_t i) const;
    Number sum(std::size_t& i, int depth) const;
    Number product(std::size_t& i, int depth) const;
    Number factor(std::size_t& i, int depth) const;
    Number builtin(std::size_t i) const;
    Number macro(std::string_view name) const;
    Number parameter(std::string_view name) const;

    std::size_t first_, end_;
    std::vector<std::string_view> directives_;
    std::vector<NumberParameter> parameters_;
    BuiltIns at_;
};

}  // namespace cusim
