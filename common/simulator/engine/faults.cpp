#include "simulator/engine/faults.h"
#include "simulator/engine/host_memory.h"

#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "simulator/engine/block_runner.h"
#include "simulator/engine/endless.h"
#include "simulator/engine/held_locks.h"
#include "simulator/engine/runtime.h"
#include "simulator/engine/waits.h"
#include "simulator/engine/watchdog.h"
#include "simulator/findings/source_lines.h"
#include "simulator/memory/device_memory.h"
#include "simulator/memory/unset.h"

namespace cusim {

std::vector<HeldLock>* heldLocks = nullptr;

namespace {

// The guarded call under way, if any, to which exit() and host faults jump.
struct Guard {
    sigjmp_buf escape{};
    Outcome outcome;
    double began = processorSeconds();
    std::vector<HeldLock> locks;
};
Guard* guard = nullptr;

// True while a signal stands for a missing return.
volatile bool missingReturn = false;

// True once host code has been found endless in this program.
bool hostFoundEndless = false;

double ofLimit() { return hostFoundEndless ? kOfLimitNextTime : 1.0; }
double hostLimit() { return 2 * options().secondLimit * ofLimit(); }

Place innermostOfUser() {
    const std::vector<SourceLine> all = callers();
    return all.empty() ? Place{} : Place(all.front());
}

// Returns the source line of an instruction that raised a signal. Needs its callers only if it is
// not the student's: a stack that has overflowed must not be walked (g++ 13 describes it wrongly
// for arm64 in functions with large arrays).
Place placeOfFault(const void* instruction) {
    const SourceLine own = placeOf(static_cast<const char*>(instruction) + 1);
    return own.file.empty() ? innermostOfUser() : Place(own);
}

// Adds the line of the same file that called the dividing function: it may pass the 0.
Finding withCaller(Finding finding) {
    const std::vector<SourceLine> all = callers();
    auto caller = std::find_if(all.begin(), all.end(), [&](const SourceLine& one) {
        return one.file == finding.file && one.line == finding.line;
    });
    if (caller != all.end()) ++caller;
    if (caller == all.end() || caller->file != finding.file) return finding;
    finding.details.push_back(
        joined("called at line ", caller->line, ": ", sourceLine(caller->file, caller->line)));
    finding.remedy = "Check the divisor, and the arguments of that call.";
    return finding;
}

Finding withoutReturn(const Place& at) {
    missingReturn = false;
    return {"missing-return",
            "a function that must return a value reaches its end without a return", at,
            "Put a return with a value on every path through the function."};
}

Finding ofKernel(const Worker& worker, int signal, std::uintptr_t address,
                 const void* instruction) {
    if (signal == watchdogSignal()) return endlessThread(callers(), worker.progress);
    const Place at = placeOfFault(instruction);
    if (signal == SIGILL && missingReturn) return withoutReturn(at);
    if (signal == SIGFPE)
        return {"division-by-zero", "the kernel divides an integer by zero", at,
                "Check the divisor."};
    if (!worker.runner->inGuardPage(address))
        return {"illegal-address", "the kernel uses an address outside of all memory", at,
                "Check the pointer that this line passes on."};
    return {"stack-overflow",
            "the kernel's local variables do not fit a thread's stack",
            at,
            "Make local arrays smaller, and check that a recursion ends.",
            {joined("a thread has ", StackPool::kStackBytes, " bytes here")}};
}

// Returns what to do about a line of host code that uses a wrong address. A cast hides from the
// compiler that a pointer is passed instead of its address.
std::string remedyFor(const std::string& source) {
    const std::string cast = "(void**)";
    const std::size_t call = source.find("cudaMalloc"),
                      at = source.find(cast, std::min(call, source.size()));
    const std::string name =
        at == source.npos
            ? ""
            : source.substr(at + cast.size(), source.find(',', at) - at - cast.size());
    if (name.empty() || name.find_first_of("&([ ") != name.npos)
        return "Check the pointer and the index on this line.";
    return joined("The first argument is the address of the pointer that cudaMalloc sets: write &",
                  name, ". Only if ", name, " is such an address itself, check what sets it.");
}

Finding ofHost(int signal, std::uintptr_t address, const void* instruction) {
    if (signal == watchdogSignal()) {
        hostFoundEndless = true;
        return endlessHost(callers(), hostProgress());
    }
    const Place at = placeOfFault(instruction);
    if (signal == SIGILL && missingReturn) return withoutReturn(at);
    if (signal == SIGFPE)
        return withCaller(
            {"division-by-zero", "host code divides an integer by zero", at, "Check the divisor."});
    const auto* pointer = reinterpret_cast<const void*>(address);
    const std::string source = sourceLine(at.file, at.line);
    // malloc stores the size before a block; for the first allocation, before all of this memory.
    const Allocation* const next = DeviceMemory::instance().nextLive(address);
    if (next && next->base - address <= 2 * sizeof(std::size_t) &&
        (source.find("free") != source.npos || source.find("delete") != source.npos))
        return {"invalid-free",
                joined("free() or delete gets ", label(*next), ", which line ", next->at.line,
                       next->kind == MemoryKind::Pinned ? " has allocated as pinned memory"
                                                        : " has allocated on the device"),
                at,
                next->kind == MemoryKind::Pinned
                    ? "Free memory from cudaMallocHost or cudaHostAlloc with cudaFreeHost()."
                    : "Free memory from cudaMalloc or cudaMallocManaged with cudaFree()."};
    if (!DeviceMemory::instance().inDeviceRange(pointer)) {
        Finding crash{"host-crash",
                      address < 65536 ? "host code uses a null pointer"
                                      : "host code uses an address outside of all memory",
                      at, remedyFor(source)};
        crash.remark = address < 65536 && Runtime::instance().sticky != cudaSuccess;
        if (crash.remark)
            crash.remedy =
                "A kernel has failed before. From then on each call fails, also one "
                "that should set this pointer: correct that kernel first.";
        return crash;
    }
    const Allocation* const allocation = DeviceMemory::instance().find(pointer);
    return {"host-touches-device",
            "host code uses device memory directly" +
                (allocation && !allocation->name.empty() ? ": " + allocation->name : std::string()),
            at,
            source.find("memset(") != source.npos
                ? "Set device memory with cudaMemset. memset() sets memory of the host alone."
                : "Copy between host and device with cudaMemcpy; only kernels dereference device "
                  "pointers."};
}

// Unlocks what the call has locked, the last lock first: no destructor does.
[[noreturn]] void leaveGuardedCall() {
    for (; !guard->locks.empty(); guard->locks.pop_back())
        guard->locks.back().release(guard->locks.back().lock);
    siglongjmp(guard->escape, 1);
}

[[noreturn]] void endGuardedCall(const Finding& finding) {
    Runtime::instance().report(finding);
    guard->outcome.how = Outcome::Faulted;
    guard->outcome.message = finding.title;
    leaveGuardedCall();
}

// Returns whether host code may continue after using memory that it should have waited for.
bool mayContinue(const void* address, const void* instruction) {
    return Waits::instance().openFor(address, [&] { return placeOfFault(instruction); });
}

void onSignal(int signal, siginfo_t* info, void* context) {
    if (signal == watchdogSignal() && !mustStop(context)) return;
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    const void* const instruction = instructionPointer(context);
    if (Worker* const worker = cusimWorker) {
        // From here on this thread runs no kernel. A template such as std::vector<int> exists once
        // in the program, and that copy may be from student code, with hooks in it.
        cusimWorker = nullptr;
        worker->runner->failFromSignal(ofKernel(*worker, signal, address, instruction));
    }
    if (signal == SIGSEGV && Runtime::lend && Runtime::lend(info->si_addr)) return;
    const int errorBefore = errno;
    if (signal == SIGSEGV && mayContinue(info->si_addr, instruction)) {
        errno = errorBefore;
        return;
    }
    const Finding finding = ofHost(signal, address, instruction);
    if (guard) endGuardedCall(finding);
    Runtime::instance().report(finding);
    std::fflush(stdout);
    if (Runtime::endListener) {
        Runtime::endListener();
        // Ends the program as it would have ended without the simulator.
        ::signal(signal, SIG_DFL);
        raise(signal);
    }
    std::fputs(text(finding).c_str(), stderr);
    _exit(1);
}

void reportAfterCall() {
    Runtime& runtime = Runtime::instance();
    // After a failed kernel no allocation can be freed and no launch queried.
    if (runtime.sticky) return;
    for (const auto& allocation : DeviceMemory::instance().allocations()) {
        if (!allocation->live || allocation->isVariable()) continue;
        runtime.report({"leak",
                        label(*allocation) + " is never freed",
                        allocation->at,
                        "Call cudaFree for it before the function returns. If this line runs "
                        "twice, free the first memory before, or allocate only once.",
                        {joined(allocation->bytes, " bytes")}});
    }
    for (const auto& [start, one] : runtime.registered)
        runtime.report({"leak",
                        "host memory is registered, and never unregistered",
                        one.at,
                        "Call cudaHostUnregister for it, before you free it.",
                        {joined(one.bytes, " bytes")}});
    for (const LaunchReport& launch : runtime.launches)
        if (!launch.errorAsked)
            runtime.report({"unchecked-launch",
                            "the launch of " + launch.kernel + " is never checked for errors",
                            launch.at,
                            "Call cudaGetLastError() after the launch and check its result."});
}

}  // namespace

void endWithoutReturn() {
    missingReturn = true;
    raise(SIGILL);
}

void useAlternateSignalStack() {
    constexpr std::size_t bytes = std::size_t{512} * 1024;  // resolving source lines needs room
    thread_local void* const own =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (own == MAP_FAILED) return;
    stack_t stack{};
    stack.ss_sp = own;
    stack.ss_size = bytes;
    sigaltstack(&stack, nullptr);
    struct sigaction action {};
    action.sa_sigaction = onSignal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, watchdogSignal()})
        sigaction(signal, &action, nullptr);
}

// Fills the stack that a call will use, so that uninitialized variables have the same value in each
// run: not 0, and no size or index that would be valid.
[[gnu::noinline]] void fillStackBelow() {
    volatile std::uint32_t below[4096];
    for (auto& word : below) word = kUnsetLocalWord;
}

Outcome guardedAlone(const std::function<void()>& studentCode) {
    useAlternateSignalStack();
    auto* const own = new Guard;  // not on the stack, since a jump leaves locals undefined
    Guard* const outer = guard;
    guard = own;
    heldLocks = &own->locks;
    hostProgress().step();
    const Watched watched(hostProgress(), hostLimit(), 10 * options().secondLimit * ofLimit());
    if (sigsetjmp(own->escape, 0) == 0) {
        try {
            fillStackBelow();
            studentCode();
        } catch (const std::exception& error) {
            own->outcome = {Outcome::Threw, 0, error.what()};
        } catch (const char* message) {
            own->outcome = {Outcome::Threw, 0, message};
        } catch (...) {
            own->outcome = {Outcome::Threw, 0, "an exception that is no std::exception"};
        }
    }
    guard = outer;
    heldLocks = outer ? &outer->locks : nullptr;
    Waits::instance().report();
    Outcome outcome = own->outcome;
    outcome.failedInDestructor = Runtime::instance().lastFailed.byDestructor;
    delete own;
    return outcome;
}

Watched watchHost(pid_t process, double mostWaiting) {
    return {hostProgress(), hostLimit(), mostWaiting * ofLimit(), process};
}

void checkAfter(const Outcome& outcome) {
    if (outcome.how != Outcome::Returned) return;
    findReceived();
    reportAfterCall();
}

Outcome guarded(const std::function<void()>& studentCode) {
    Outcome outcome = guardedAlone(studentCode);
    checkAfter(outcome);
    return outcome;
}

void noteEndlessHost() { hostFoundEndless = true; }

// Notes the line that called exit(), and the last call that had failed, if any.
void explainExit(Outcome& outcome) {
    const FailedCall& failed = Runtime::instance().lastFailed;
    if (failed.function.empty()) return;
    outcome.failedCall = failed.function;
    outcome.at = innermostOfUser();
    outcome.message = joined(outcome.at.file.empty() ? "" : text(outcome.at) + ": ",
                             failed.function, " had failed: ", cudaGetErrorString(failed.error),
                             failed.why.empty() ? "" : "; ", failed.why);
}

void endAfterCalls(std::size_t calls) {
    // A launch for each element of a large matrix stays below this.
    constexpr std::size_t kMany = 200000;
    if (!guard || cusimWorker || calls < kMany || calls % 1000 != 0) return;
    if (hostLimit() <= 0 || processorSeconds() - guard->began < hostLimit()) return;
    hostFoundEndless = true;
    endGuardedCall(endlessHost(callers(), hostProgress()));
}

void refuseThread() {
    if (!guard || cusimWorker) return;
    endGuardedCall(
        {"unsupported", "host code starts a thread, but the tests allow only one host thread",
         innermostOfUser(),
         "Make all CUDA calls from the one thread that exists: work in different streams can still "
         "overlap. Programs with several host threads run with make try."});
}

// Ends a block with a finding (exit() in a kernel), or the guarded call. Returns false without one.
bool leaveByExit(int status, const char* function) {
    if (cusimWorker)
        cusimWorker->runner->fail({"unsupported", joined("the kernel calls ", function, "()"),
                                   innermostOfUser(),
                                   "Device code cannot end the program: return from the kernel."});
    if (!guard) return false;  // the program itself ends
    guard->outcome.how = Outcome::Exited;
    guard->outcome.exitStatus = status;
    explainExit(guard->outcome);
    leaveGuardedCall();
}

}  // namespace cusim

// The linker redirects calls of these functions to here (--wrap), wherever in the program they are.
// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
extern "C" {
[[noreturn]] void __real_exit(int status);
[[noreturn]] void __real__exit(int status);
[[noreturn]] void __real_abort();

[[noreturn]] void __wrap_exit(int status) {
    cusim::leaveByExit(status, "exit");
    __real_exit(status);
}
[[noreturn]] void __wrap__exit(int status) {
    cusim::leaveByExit(status, "_exit");
    if (cusim::Runtime::endListener) cusim::Runtime::endListener();
    __real__exit(status);
}
[[noreturn]] void __wrap__Exit(int status) { __wrap__exit(status); }
[[noreturn]] void __wrap_quick_exit(int status) { __wrap__exit(status); }
[[noreturn]] void __wrap_abort() {
    cusim::leaveByExit(134, "abort");
    __real_abort();
}
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
