// Handles of streams and events, and the flags of their functions.
#pragma once

namespace cusim {
struct Stream;
struct Event;
}  // namespace cusim

using cudaStream_t = cusim::Stream*;
using cudaEvent_t = cusim::Event*;

constexpr unsigned cudaStreamDefault = 0, cudaStreamNonBlocking = 1;
constexpr unsigned cudaEventDefault = 0, cudaEventBlockingSync = 1, cudaEventDisableTiming = 2;
// The default stream: one thread of the host launches.
constexpr cudaStream_t cudaStreamLegacy = nullptr, cudaStreamPerThread = nullptr;
