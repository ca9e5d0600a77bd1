// Finds the column of the source text that an instruction comes from. If a line names several
// arrays, the column shows which one was accessed.
#pragma once

namespace cusim {

// Returns the column, from 1, of the call that returns to `returnAddress`; 0 if it is not known.
int columnOf(const void* returnAddress);

}  // namespace cusim
