// What the device may still do to memory of both sides. It is sent to the process of the host,
// which reports host code that accesses the memory too early.
#pragma once

#include <string>

#include "verdict/record/bytes.h"

namespace host {

// Appends what is pending now.
void writePendingUses(testing::ByteWriter& writer);

// Takes it in the process of the host, where it closes the pages. Throws testing::Damaged.
void takePendingUses(testing::ByteReader& reader);

}  // namespace host
