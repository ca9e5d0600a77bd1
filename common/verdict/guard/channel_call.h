// The only instruction that may write to the channel; the kernel refuses every other.
#pragma once

#include <cstddef>
#include <cstdint>

namespace guard {

// Writes as write(2) does; returns the number of bytes, or a negative error number.
long channelCall(int channel, const char* bytes, std::size_t size);

// Returns the address after the instruction, by which the kernel identifies the call.
std::uintptr_t channelCallEnd();

}  // namespace guard
