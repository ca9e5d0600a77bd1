// Signals: a crash in a kernel ends its block with a finding, a crash of the host code under test
// ends the guarded call, and neither ends the program.
#pragma once

namespace cusim {

// Once per host thread: handlers need a stack of their own to survive a stack overflow.
void useAlternateSignalStack();

}  // namespace cusim
