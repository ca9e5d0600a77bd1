// Copies from global to shared memory in pieces, for the headers of barriers, pipelines and groups.
#pragma once

#include <cstdint>
#include <cstring>

#include "cusim/async_copy.h"

namespace cuda {

// A size that the compiler knows, like both addresses, to be a multiple of Alignment.
template <::std::size_t Alignment>
struct aligned_size_t {
    ::std::size_t value;
    CUSIM_UNCHECKED explicit aligned_size_t(::std::size_t size) : value(size) {}
    CUSIM_UNCHECKED operator ::std::size_t() const { return value; }
};

}  // namespace cuda

namespace cusim {

// Returns the largest piece in which these bytes can be copied asynchronously; 0: in none.
CUSIM_UNCHECKED ::std::size_t pieceOf(const void* target, const void* source, ::std::size_t bytes) {
    const ::std::uintptr_t all = reinterpret_cast<::std::uintptr_t>(target) |
                                 reinterpret_cast<::std::uintptr_t>(source) | bytes;
    return all % 16 == 0 ? 16 : all % 8 == 0 ? 8 : all % 4 == 0 ? 4 : 0;
}

// Copies the pieces of one of `count` threads. `barrier`: see startCopy().
__attribute__((always_inline)) inline void copyPieces(void* target, const void* source,
                                                      ::std::size_t bytes, ::std::size_t rank,
                                                      ::std::size_t count,
                                                      Barrier* barrier = nullptr) {
    const ::std::size_t piece = pieceOf(target, source, bytes);
    if (piece == 0) {
        if (rank == 0 && bytes > 0) ::std::memcpy(target, source, bytes);
        return;
    }
    for (::std::size_t at = rank * piece; at < bytes; at += count * piece)
        startCopy(static_cast<char*>(target) + at, static_cast<const char*>(source) + at, piece, 0,
                  barrier);
}

}  // namespace cusim
