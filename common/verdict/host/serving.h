// The device's side of the two processes: does what the student's host code asks for, and believes
// nothing that it says.
#pragma once

#include "simulator/simulator.h"
#include "testing/outputs.h"

namespace host {

// Serves the process of the host behind this socket until its call of student code has ended.
// Returns how, with the outputs in their places. Throws Closed where that process ends before, and
// testing::Damaged where it says what no right one does.
cusim::Outcome serveUntilDone(int socket, const lab::Outputs& outputs);

}  // namespace host
