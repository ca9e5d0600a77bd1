// What the device may still do to memory of both sides, which the process of the host is sent: it
// is told there where host code comes too early.
#pragma once

#include <string>

#include "verdict/record/bytes.h"

namespace host {

// Appends what is pending now.
void writePendingUses(testing::ByteWriter& writer);

// Takes it in the process of the host, where it closes the pages. Throws testing::Damaged.
void takePendingUses(testing::ByteReader& reader);

}  // namespace host
