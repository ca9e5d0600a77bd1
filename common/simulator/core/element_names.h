// How reports name an element: by the indices that its declaration or its matrix gives it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "simulator/core/device_memory.h"

namespace cusim {

struct ArrayShape {
    std::size_t elementBytes;
    std::vector<std::size_t> extents;  // from the outermost to the innermost
};

// Of a shared array, by its index in SharedMemoryMap; nothing where no kernel has told it yet.
std::optional<ArrayShape> sharedShape(std::size_t array);

// What the kernel that runs calls the dynamic shared memory. `name` is a literal of the program.
void noteDynamicShared(const char* name, std::size_t elementBytes);

// Of an allocation that holds one of the matrices that describeMatrix has told: the one that it was
// copied from, else the only one of its size.
std::optional<ArrayShape> matrixShape(const Allocation& allocation);

// "[2][5]". An offset past the end counts on in rows.
std::string indices(const ArrayShape& shape, std::size_t offset);
// "row 4, column 1" of a matrix; rows count on past its end.
std::string rowAndColumn(const ArrayShape& shape, std::size_t offset);
// "16 x 16"
std::string extentsText(const ArrayShape& shape);

// "Mds[2][5]", "d_M[17] (row 4, column 1)", or "d_x[3] (counted in 4-byte words)".
std::string arrayName(bool shared, std::uint32_t array);
std::string elementName(bool shared, std::uint32_t array, std::size_t offset);

}  // namespace cusim
