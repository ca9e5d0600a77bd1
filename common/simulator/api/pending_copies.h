// What a copy or a fill may still do to memory of the host when its call returns.
#pragma once

#include <cstddef>
#include <memory>

#include "simulator/include/cusim/memory_api.h"

namespace cusim {

struct Work;

// A side of a copy, or an operand: `height` rows of `width` bytes, which begin `pitch` bytes apart.
struct Rows2D {
    const void* start;
    std::size_t pitch, width, height;
};

// Notes what work does to an allocation.
void noteRows(const std::shared_ptr<const Work>& work, const Rows2D& rows, bool writes);
// Notes a copy. If it is to pageable memory or within host memory, it has ended, and so has
// everything before it in the stream.
void notePendingCopy(const char* function, const Rows2D& target, const Rows2D& source,
                     cudaMemcpyKind kind, cudaStream_t stream, const Where& at);
void notePendingFill(const char* function, const Rows2D& target, cudaStream_t stream,
                     const Where& at);
// Notes that a fill without Async in its name has ended, if its target is host memory.
void noteFilled(const void* target);

}  // namespace cusim
