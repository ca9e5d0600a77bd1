// The device's side of the two processes: does what student host code requests, and checks all that
// it says.
#pragma once

#include "simulator/simulator.h"
#include "testing/outputs.h"

namespace host {

struct CallResult {
    cusim::Outcome outcome;
    bool handedOver = false;  // what the host gave the device may be the result, see handed_over.h
};

// Serves the process of the host at this socket until its call of student code has ended. Returns
// how it ended, and fills the outputs. If that process has decoys, they become numbers here, see
// decoys.h. Throws Closed if that process ends before, and testing::Damaged for a message that no
// correct process sends.
CallResult serveUntilDone(int socket, const lab::Outputs& outputs, bool withDecoys = false);

}  // namespace host
