// What the device may still do to memory of both sides, which is sent to the process of the host:
// that process reports host code that comes too early.
#pragma once

#include <string>

#include "verdict/record/bytes.h"

namespace host {

// Appends what is pending now.
void writePendingUses(testing::ByteWriter& writer);

// Takes it in the process of the host, where it closes the pages. Throws testing::Damaged.
void takePendingUses(testing::ByteReader& reader);

}  // namespace host
