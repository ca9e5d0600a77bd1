// Called through -fsanitize=return if a function with a value ends without a return. The value that
// the caller then gets is random, and often the right one.
#include "simulator/engine/faults.h"

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
extern "C" {
void __ubsan_handle_missing_return(void*) { cusim::endWithoutReturn(); }
void __ubsan_handle_missing_return_abort(void*) { cusim::endWithoutReturn(); }
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
