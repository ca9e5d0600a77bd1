// Ends the program if the machine lacks something; that is not a fault of student code.
#pragma once

namespace cusim {

// Prints this sentence and ends the program with status 2, even in a guarded call.
[[noreturn]] void giveUp(const char* sentence);

// Sets another status.
void giveUpWith(int status);

}  // namespace cusim
