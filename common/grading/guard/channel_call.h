// The one instruction by which the record is written. The kernel lets no other write to the
// channel.
#pragma once

#include <cstddef>
#include <cstdint>

namespace guard {

// As write(2); returns the number of bytes, or an error's number below zero.
long channelCall(int channel, const char* bytes, std::size_t size);

// Where the instruction ends: what the kernel sees as the place of the call.
std::uintptr_t channelCallEnd();

}  // namespace guard
