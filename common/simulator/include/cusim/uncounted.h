#pragma once

// For functions of the runtime's own that stand in a .cu file's translation unit: their accesses
// are not the student's, so they must not be counted.
#ifdef __clang__
// clang's no_sanitize still replaces atomic operations by hooks.
#define CUSIM_UNCOUNTED __attribute__((disable_sanitizer_instrumentation, noinline))
#else
#define CUSIM_UNCOUNTED __attribute__((no_sanitize("thread"), noinline))
#endif
