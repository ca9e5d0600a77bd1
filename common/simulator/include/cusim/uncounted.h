#pragma once

// For functions of the runtime's own that stand in a .cu file's translation unit: their accesses
// are not the student's, so they must not be counted.
#define CUSIM_UNCOUNTED __attribute__((no_sanitize("thread"), noinline))
