// Asynchronous copies from global to shared memory, as the headers of pipelines begin them and wait
// for them (CUDA C++ Programming Guide, "Asynchronous Data Copies").
#pragma once

#include <cstddef>

#include "cusim/barrier.h"
#include "cusim/uncounted.h"

namespace cusim {

// Begins a copy of `bytes` bytes; the last `zeros` of them are set to 0 and not read. It belongs
// to the calling thread's group that is not yet committed or, given a barrier, to the phase of that
// barrier. The caller must be inlined into the kernel, because the return address gives the line.
void startCopy(void* target, const void* source, std::size_t bytes, std::size_t zeros,
               Barrier* barrier = nullptr);
// Ends a group of copies.
void commitCopies();
// Waits for all of the calling thread's groups but the newest `prior`.
void waitForCopies(std::size_t prior);

}  // namespace cusim
