// Bounds of the tests' buffers, so that an overlong copy is reported and does not crash the test
// program.
#pragma once

#include <cstddef>
#include <optional>

namespace cusim {

// Returns the bytes from this address to the end of the described memory that holds it, or nothing.
std::optional<std::size_t> hostBytesFrom(const void* pointer);

}  // namespace cusim
