// Names an element in reports by the indices that its declaration or its matrix gives it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "simulator/memory/device_memory.h"

namespace cusim {

struct ArrayShape {
    std::size_t elementBytes;
    std::vector<std::size_t> extents;  // outermost first
};

// Returns the shape of a shared array, by its index in SharedMemoryMap; nothing until a kernel has
// declared it.
std::optional<ArrayShape> sharedShape(std::size_t array);

// Notes that elements with padding begin at an offset into the thread-local block.
void notePaddingOfShared(std::size_t offset, std::size_t elementBytes, detail::Members members);
// Tests whether a byte of a shared array is padding between the members of an element.
bool isPaddingOfShared(std::size_t array, std::size_t offset);

// Notes the running kernel's name for its dynamic shared memory. `name` must be a literal.
void noteDynamicShared(const char* name, std::size_t rowBytes);
// Forgets that name and the types of casts of shared arrays, which the last kernel noted.
void forgetNotedOfShared();

// Returns the shape of the described matrix (see describeMatrix) that was copied to or from the
// allocation, or else of the only one that has its size.
std::optional<ArrayShape> matrixShape(const Allocation& allocation);

// Returns the smallest extent of all described matrices, or 0 without any. A position with smaller
// coordinates is inside each matrix, even if rows and columns are swapped.
std::size_t leastExtent();
// Returns the largest number of rows or columns of a described matrix; 0 without one.
std::size_t mostExtent();
// Returns the elements of the smallest described matrix, or 0 without any.
std::size_t leastElements();
// Tests whether tiles of this size extend past an edge of a described matrix.
bool reachesOver(std::size_t width, std::size_t height);
// Returns the shape of the one described matrix that is copied to no allocation.
std::optional<ArrayShape> shapeOfResult();
// Returns the one extent of a described matrix that, as the length of a row, explains why a thread
// at (x, y) of the grid gets this index past the end of a matrix that contains its position.
std::optional<std::size_t> otherRowLength(const ArrayShape& matrix, std::size_t index,
                                          std::size_t x, std::size_t y);
// Returns a remedy for an allocation of as many bytes as a described matrix has elements, if no
// matrix has exactly these bytes: sizeof(float) seems to be missing. Otherwise returns nothing.
std::string ifSizeIsForgotten(const Allocation& allocation);

// Returns, for example, "[2][5]". An offset past the end counts on in rows.
std::string indices(const ArrayShape& shape, std::size_t offset);
// Returns, for example, "row 4, column 1". An offset past the end counts on in rows.
std::string rowAndColumn(const ArrayShape& shape, std::size_t offset);
// Returns, for example, "16 x 16".
std::string extentsText(const ArrayShape& shape);

// The names of a thread's indices, as nameIndices set them.
struct IndexNames {
    std::string row = "row", column = "column";
};
const IndexNames& indexNames();

// Return "Mds" and, for example, "Mds[2][5]", "d_M[17] (row 4, column 1)" or "d_x[3] (counted in
// 4-byte words)".
std::string arrayName(bool shared, std::uint32_t array);
std::string elementName(bool shared, std::uint32_t array, std::size_t offset);

// Returns the columns of the described matrix that begins at this host address; 0: there is none.
std::size_t describedColumns(const void* host);

}  // namespace cusim
