// The device's side of the two processes: does what the student's host code asks for, and believes
// nothing that it says.
#pragma once

#include "simulator/simulator.h"
#include "testing/outputs.h"

namespace host {

struct CallResult {
    cusim::Outcome outcome;
    bool handedOver = false;  // what the host gave the device may be the result, see handed_over.h
};

// Serves the process of the host behind this socket until its call of student code has ended.
// Returns how, with the outputs in their places. If that process has decoys of its numbers, they
// become numbers here, see decoys.h. Throws Closed where that process ends before, and
// testing::Damaged where it says what no right one does.
CallResult serveUntilDone(int socket, const lab::Outputs& outputs, bool withDecoys = false);

}  // namespace host
