// Signals: a crash in a kernel ends its block with a finding, a crash of the host code under test
// ends the guarded call, and neither ends the program.
#pragma once

namespace cusim {

// Before each guarded call and launch, for the calling host thread: a test framework may have put
// its own handlers in place since. Handlers need a stack of their own to survive an overflow.
void useAlternateSignalStack();

// Ends the program with this sentence and status 2, also within a guarded call: what lacks is the
// machine's, and no verdict on student code.
[[noreturn]] void giveUp(const char* sentence);

}  // namespace cusim
