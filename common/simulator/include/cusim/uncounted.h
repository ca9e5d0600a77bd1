#pragma once

// Marks functions of the runtime that stand in a .cu file's translation unit: their accesses are
// not the student's and must not count.
#ifdef __clang__
// clang's no_sanitize would still replace atomic operations by hooks.
#define CUSIM_UNCOUNTED __attribute__((disable_sanitizer_instrumentation, noinline))
#else
#define CUSIM_UNCOUNTED __attribute__((no_sanitize("thread"), noinline))
#endif
// Leaves out the instrumentation of functions that touch no memory of the kernel: no access is
// lost, and a report about the inside of a header is of no help.
#define CUSIM_UNCHECKED __attribute__((no_sanitize("thread"))) inline
// Inlines a function whose accesses are the student's: they must be instrumented in the caller, and
// without optimization only always_inline does that. The line table still names the header; placeOf
// in findings/source_lines.h takes the inlined call's place instead.
#define CUSIM_AT_CALLER __attribute__((always_inline)) inline
