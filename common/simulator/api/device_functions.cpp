// Barriers, warp functions, printf and assert for device code.
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "simulator/engine/block_runner.h"
#include "simulator/findings/source_lines.h"
#include "simulator/hooks/hooks.h"
#include "simulator/include/cusim/builtins.h"
#include "simulator/include/cusim/shared_shapes.h"
#include "simulator/include/cusim/warp.h"
#include "text/joined.h"

namespace cusim {
namespace {

BlockRunner& runner(const char* function, const Where& at) {
    if (cusimWorker) return *cusimWorker->runner;
    std::fprintf(stderr, "%s:%d: %s is for kernels, but host code calls it here\n", at.file,
                 at.line, function);
    std::exit(1);
}

}  // namespace

const WarpValues& exchange(unsigned mask, std::uint64_t value, Where at) {
    return runner("a warp function", at).exchange(mask, value, at, false);
}
unsigned lane() { return runner("a warp function", Where::here()).lane(); }
unsigned convergedLanes(Where at) { return runner("coalesced_threads", at).converged(at); }
bool inKernel() { return cusimWorker; }
bool isCooperative() { return cusimWorker && cusimWorker->runner->amongMany(); }
void beginsTogether(const char* name, const char* first, Where at) {
    if (cusimWorker)
        cusimWorker->runner->fail(
            {"shared-overlap",
             joined("all extern __shared__ arrays begin at the same address: ", name, " is ",
                    first),
             at,
             joined("Declare ", first, " alone, and make ", name,
                    " a pointer to the first byte after it, ", first,
                    " + n. The launch's third parameter is the number of bytes of both.")});
}
void boundThreads(unsigned long long most, Where at) {
    const unsigned long long threads = 1ull * blockDim.x * blockDim.y * blockDim.z;
    if (cusimWorker && threads > most)
        cusimWorker->runner->fail(
            {"invalid-launch",
             joined("the block has ", threads,
                    " threads, but the kernel's __launch_bounds__ allow ", most,
                    ": the launch fails on a card"),
             at,
             joined("Launch blocks of at most ", most,
                    " threads, or write the block's size into __launch_bounds__.")});
}
void waitForGrid(Where at) { runner("sync() of the grid", at).waitForGrid(at); }

}  // namespace cusim

void __syncthreads(cusim::Where at) { cusim::runner("__syncthreads", at).barrier(at, 0); }
int __syncthreads_count(int predicate, cusim::Where at) {
    return static_cast<int>(cusim::runner("__syncthreads_count", at).barrier(at, predicate));
}
int __syncthreads_or(int predicate, cusim::Where at) {
    return __syncthreads_count(predicate, at) > 0;
}
int __syncthreads_and(int predicate, cusim::Where at) {
    auto& runner = cusim::runner("__syncthreads_and", at);
    runner.barrier(at, predicate);
    return runner.barrierAll();
}

static void fence(cusim::Scope scope) {
    if (cusimWorker) cusimWorker->runner->fence(scope);
}
void __threadfence() { fence(cusim::Scope::Device); }
void __threadfence_block() { fence(cusim::Scope::Block); }
void __threadfence_system() { fence(cusim::Scope::Device); }

void __syncwarp(unsigned mask, cusim::Where at) {
    cusim::runner("__syncwarp", at).exchange(mask, 0, at, true);
}
unsigned __ballot_sync(unsigned mask, int predicate, cusim::Where at) {
    const cusim::WarpValues& all = cusim::exchange(mask, predicate != 0, at);
    unsigned votes = 0;
    for (unsigned l = 0; l < 32; ++l)
        if (all.active >> l & 1) votes |= static_cast<unsigned>(all.value[l]) << l;
    return votes;
}
int __any_sync(unsigned mask, int predicate, cusim::Where at) {
    return __ballot_sync(mask, predicate, at) != 0;
}
int __all_sync(unsigned mask, int predicate, cusim::Where at) {
    // Inactive lanes count as true.
    return __ballot_sync(mask, !predicate, at) == 0;
}

long long clock64() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000ll + now.tv_nsec;
}

void __trap() {
    cusim::runner("__trap", cusim::Where::here())
        .fail({"trap", "the kernel calls __trap()", cusim::placeOf(__builtin_return_address(0)),
               "Find the condition that leads to this call."});
}

namespace {

// Tests whether a format has a %n, which stores without a hook, and which CUDA lacks.
bool stores(const char* format) {
    for (; (format = std::strchr(format, '%')); ++format) {
        ++format;
        format += std::strspn(format, "0123456789.*$'+- #IhlLjztq");
        if (*format == 'n' || *format == '\0') return *format == 'n';
    }
    return false;
}

// Formats a kernel's text into a buffer; returns its length. The arguments are a copy, because the
// C library stores its position in them.
int formatted(char* room, std::size_t size, const std::string& format, va_list arguments) {
    va_list own;
    va_copy(own, arguments);
    const int length = std::vsnprintf(room, size, format.c_str(), own);
    va_end(own);
    return length;
}

std::FILE* printed = nullptr;  // the target of printf(); nullptr: stdout

int print(const char* given, va_list arguments, const void* place) {
    if (!cusimWorker) return std::vfprintf(cusim::printedTo(), given, arguments);
    const std::string format = given;  // another block may change it
    if (stores(format.c_str()))
        cusimWorker->runner->fail({"unsupported", "the kernel calls printf() with %n",
                                   cusim::placeOf(place),
                                   "printf() in a kernel does not count characters: remove %n."});
    cusimWorker->noteStack(&arguments, 8192);  // what the C library needs to format
    // Output of a kernel appears when the launch has ended, as on a card.
    const int length = formatted(nullptr, 0, format, arguments);
    if (length < 0) return length;
    std::string out(static_cast<std::size_t>(length) + 1, '\0');
    formatted(out.data(), out.size(), format, arguments);
    out.pop_back();
    cusimWorker->runner->print(out);
    return length;
}

}  // namespace

namespace cusim {
void printTo(std::FILE* stream) { printed = stream; }
std::FILE* printedTo() { return printed ? printed : stdout; }
}  // namespace cusim

// The linker redirects calls of these functions to here (--wrap).
// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
extern "C" {
int __wrap_vprintf(const char* format, va_list arguments) {
    return print(format, arguments, __builtin_return_address(0));
}
__attribute__((format(printf, 1, 2))) int __wrap_printf(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int length = print(format, arguments, __builtin_return_address(0));
    va_end(arguments);
    return length;
}

[[noreturn]] void __wrap___assert_fail(const char* condition, const char* file, unsigned line,
                                       const char* function) {
    if (cusimWorker)
        cusimWorker->runner->fail({"assert",
                                   words::joined("assertion failed: ", condition),
                                   {file, static_cast<int>(line)},
                                   "Find out why the condition does not hold for this thread."});
    std::fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, condition);
    std::abort();
}
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
