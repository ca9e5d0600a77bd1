// Called through -fsanitize=integer-divide-by-zero just before an integer is divided by zero, which
// raises no signal on arm64. So each machine gives the finding of x86-64's signal.
#include <csignal>

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
extern "C" {
void __ubsan_handle_divrem_overflow(void*, void*, void*) { std::raise(SIGFPE); }
void __ubsan_handle_divrem_overflow_abort(void*, void*, void*) { std::raise(SIGFPE); }
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
