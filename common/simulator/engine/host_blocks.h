// The blocks of the host's heap that a .cu file has allocated, so that a copy past the end of one
// is found. Libraries free and reuse memory without a note, so a block counts as known only while
// malloc's own header of it is unchanged.
#pragma once

#include <cstddef>
#include <optional>

namespace cusim {

// Returns the block, which may be null.
void* noteHostBlock(void* start, std::size_t bytes);
void forgetHostBlock(void* start);

// Returns the bytes from this address to the end of its block; nothing if the block is not known,
// or if `bytes` from there on fit what malloc has rounded up.
std::optional<std::size_t> hostBlockFrom(const void* pointer, std::size_t bytes);

// Tests whether this address of a block holds a pointer to the beginning of another one.
bool holdsHostPointer(const void* pointer);

}  // namespace cusim
