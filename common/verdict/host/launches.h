// Checks what the host's process says about the student's code against the program's symbols.
#pragma once

#include "verdict/host/calls.h"
#include "verdict/host/handed_over.h"

namespace host {

// Take a launch, or the registration of a variable of the device, from a message and carry it out.
// Throw testing::Damaged if what they name is not in the student's file.
cudaError_t launch(testing::ByteReader& reader, HandedOver& handedOver);
void registerVariable(testing::ByteReader& reader);

}  // namespace host
