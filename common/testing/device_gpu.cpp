// Runs student code on a card, in the process of the tests. So nothing may end that process early,
// and no run may see what an earlier one has left.
#include <cuda_runtime.h>
#include <fcntl.h>
#include <unistd.h>

#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>

#include "matrix/compare.h"
#include "testing/device.h"

extern "C" [[noreturn]] void __real_exit(int status);

namespace device {
namespace {

// Exceeds by far what any test takes, also under compute-sanitizer.
constexpr unsigned kSeconds = 120;

// Exit statuses that run_tests.py knows.
constexpr int kNoCard = 2, kCardUnusable = 3, kEndedInTest = 4;

std::jmp_buf wayOut;
volatile bool inStudentCode = false;
volatile int exitStatus = 0;

// True once a kernel has failed: this process cannot use the card any more, even after a reset.
bool unusable = false;

void* anchor = nullptr;  // see poisonFreeMemory

// Opens the card at the first call. Ends the program with status 2 if it cannot be used.
void start() {
    static bool started = false;
    if (started) return;
    // A launch that loads its kernel's code first would take longer than the kernel.
    setenv("CUDA_MODULE_LOADING", "EAGER", 0);
    const cudaError_t error = cudaFree(nullptr);
    if (error != cudaSuccess) {
        std::fprintf(stderr,
                     "DEVICE=gpu: the card cannot be used: %s. Install a driver that fits the "
                     "toolkit (make doctor), or leave DEVICE out to use the simulated device.\n",
                     cudaGetErrorString(error));
        std::exit(kNoCard);
    }
    started = true;
    // compute-sanitizer then lists what has not been freed.
    std::atexit([] {
        cudaFree(anchor);
        cudaDeviceReset();
    });
    cudaMalloc(&anchor, 1);
}

// Fills the memory that the next allocations get. New memory is all zeros, which hides a sum that
// does not begin with zero. The anchor makes the driver keep the block for small allocations, with
// its content.
void poisonFreeMemory() {
    static const matrix::Matrix poison = matrix::poisoned(256, 256);
    constexpr int kPieces = 8;
    void* pieces[kPieces] = {};
    for (void*& piece : pieces)
        if (cudaMalloc(&piece, poison.size() * sizeof(float)) == cudaSuccess)
            cudaMemcpy(piece, poison.data(), poison.size() * sizeof(float), cudaMemcpyHostToDevice);
    for (void* piece : pieces) cudaFree(piece);
    cudaGetLastError();
}

// Prints a sentence and ends the program. Avoids stdio, which a signal may have interrupted.
[[noreturn]] void endTests(const char* sentence) {
    if (write(STDERR_FILENO, sentence, std::strlen(sentence)) < 0) _exit(kEndedInTest + 1);
    _exit(kEndedInTest);
}

void onCrash(int) {
    endTests("The host code under test crashed. The same command without DEVICE=gpu says where.\n");
}

void onAlarm(int) {
    endTests(
        "The code under test has not returned for two minutes. Look for a loop that never\nends, "
        "or a barrier that not all threads reach.\n");
}

// Calls the code. Returns false if it called exit().
bool comesBack(const std::function<void()>& studentCode) {
    if (setjmp(wayOut) != 0) return false;
    inStudentCode = true;
    studentCode();
    return true;
}

void callStudentCode(const std::function<void()>& studentCode, Outcome& outcome) {
    for (const int crash : {SIGSEGV, SIGBUS, SIGFPE, SIGABRT}) std::signal(crash, onCrash);
    std::signal(SIGALRM, onAlarm);
    alarm(kSeconds);
    try {
        if (!comesBack(studentCode)) {
            outcome.how = Outcome::Exited;
            outcome.exitStatus = exitStatus;
        }
    } catch (const std::exception& error) {
        outcome.how = Outcome::Threw;
        outcome.message = error.what();
    } catch (...) {
        outcome.how = Outcome::Threw;
        outcome.message = "something that is not a std::exception";
    }
    inStudentCode = false;
    alarm(0);
    for (const int crash : {SIGSEGV, SIGBUS, SIGFPE, SIGABRT}) std::signal(crash, SIG_DFL);
}

Outcome finish(const std::function<void()>& studentCode) {
    Outcome outcome;
    callStudentCode(studentCode, outcome);
    const cudaError_t last = cudaGetLastError();
    const cudaError_t atEnd = cudaDeviceSynchronize();
    const cudaError_t error = last != cudaSuccess ? last : atEnd;
    if (error != cudaSuccess)
        outcome.problems.push_back(
            {{cudaGetErrorName(error)},
             std::string("the card reports: ") + cudaGetErrorString(error) +
                 "\nThe card does not say where. The same command without DEVICE=gpu does.\n"});
    unusable = atEnd != cudaSuccess;
    return outcome;
}

}  // namespace

void reset() {
    if (unusable) {
        std::fflush(nullptr);
        _exit(kCardUnusable);
    }
    start();
    cudaGetLastError();
    poisonFreeMemory();
}

Outcome run(const lab::Outputs&, const std::function<void()>& studentCode) {
    reset();
    return finish(studentCode);
}

Outcome runQuietly(const lab::Outputs&, const std::function<void()>& studentCode) {
    start();
    std::fflush(stderr);
    const int kept = dup(STDERR_FILENO);
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDERR_FILENO);
    Outcome outcome = finish(studentCode);
    std::fflush(stderr);
    dup2(kept, STDERR_FILENO);
    close(nowhere);
    close(kept);
    return outcome;
}

void listenToPrinted(void (*)(const std::string& text)) {}

// Does nothing, because the driver sets the limit.
void expectShortRuns() {}

// Do nothing, because a card observes no warps.
WithoutWarps::WithoutWarps() = default;
WithoutWarps::~WithoutWarps() = default;
LastBlockOnly::LastBlockOnly() = default;
LastBlockOnly::~LastBlockOnly() = default;
std::size_t steps() { return 0; }

bool hasLaunched() { return true; }

// Do nothing, because a card names no rows and columns.
void describeMatrix(const void*, int, int) {}
void forgetMatrices() {}

std::size_t notStoredByKernels(const matrix::Matrix&) { return 0; }

std::string name() {
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess) return "no device";
    return properties.name;
}

}  // namespace device

// Ends the call of student code, not the program. The linker redirects every exit() (--wrap=exit).
extern "C" [[noreturn]] void __wrap_exit(int status) {
    if (!device::inStudentCode) __real_exit(status);
    device::exitStatus = status;
    std::longjmp(device::wayOut, 1);
}
