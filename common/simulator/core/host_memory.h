// The memory of the tests that student code gets: a copy must not go past its end, where nobody
// would say so, or the test program would end without a word.
#pragma once

#include <cstddef>
#include <optional>

namespace cusim {

// How many bytes there are from here to the end of the memory that was told; nothing where none
// was.
std::optional<std::size_t> hostBytesFrom(const void* pointer);

}  // namespace cusim
