// Signals: a crash in a kernel ends its block with a finding, a crash of the host code under test
// ends the guarded call, and neither ends the program.
#pragma once

#include <cstddef>

namespace cusim {

// Before each guarded call and launch, for the calling host thread: a test framework may have put
// its own handlers in place since. Handlers need a stack of their own to survive an overflow.
void useAlternateSignalStack();

// From within a call of the runtime, which is the guarded call's so many-th: ends the guarded call
// with a finding where it has made so many and taken so long that it comes to no end.
void endAfterCalls(std::size_t calls);

// Ends the program with this sentence and status 2, also within a guarded call: what lacks is the
// machine's, and no verdict on student code.
[[noreturn]] void giveUp(const char* sentence);

}  // namespace cusim
