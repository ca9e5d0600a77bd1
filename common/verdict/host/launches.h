// What the host's process says of the student's own code, held against the program's symbols.
#pragma once

#include "verdict/host/calls.h"
#include "verdict/host/handed_over.h"

namespace host {

// Take a launch, or the registration of a variable of the device, from a message and carry it out.
// Throw testing::Damaged where what they name is not in the student's file.
cudaError_t launch(testing::ByteReader& reader, HandedOver& handedOver);
void registerVariable(testing::ByteReader& reader);

}  // namespace host
