// Ways in which a value reaches the host, from a kernel or from the host alone.
#pragma once

#include <string>

namespace stored_values {

constexpr int kCount = 4;

// Fills `values` with 1.5, 2.5, 3.5 and 4.5 in the way of this name.
void get(const std::string& way, float* values);

}  // namespace stored_values
