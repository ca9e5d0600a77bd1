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

// The least of all extents of the matrices that were told: a place whose coordinates are smaller
// lies inside each of them, whichever way it is counted. 0 where none were told.
std::size_t leastExtent();
// The told matrix that has as many elements as these bytes, where none takes just these bytes:
// then sizeof(float) seems to be missing.
std::optional<ArrayShape> matrixOfSoManyElements(std::size_t bytes);

// "[2][5]". An offset past the end counts on in rows.
std::string indices(const ArrayShape& shape, std::size_t offset);
// "row 4, column 1" of a matrix; rows count on past its end.
std::string rowAndColumn(const ArrayShape& shape, std::size_t offset);
// "16 x 16"
std::string extentsText(const ArrayShape& shape);

// As nameIndices has said.
struct IndexNames {
    std::string row = "row", column = "column";
};
const IndexNames& indexNames();

// "Mds[2][5]", "d_M[17] (row 4, column 1)", or "d_x[3] (counted in 4-byte words)".
std::string arrayName(bool shared, std::uint32_t array);
std::string elementName(bool shared, std::uint32_t array, std::size_t offset);

}  // namespace cusim
