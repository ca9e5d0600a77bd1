// Makes CUDA calls of student code fail, and tests whether the code notices it, and what it copied
// before.
#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>

#include "testing/device.h"
#include "testing/lab_sim.h"

namespace lab {
namespace {

// A sentence about no TODO is about no step of the exercise.
void blameOnly(const Text& about) {
    if (about.todos.empty()) blameNoStep();
}

// Returns the calls of the code after call `number` of this name.
std::vector<std::string> callsAfter(const std::string& function, std::ptrdiff_t number) {
    const auto& calls = cusim::calls();
    auto call = calls.begin();
    while (call != calls.end() && !(*call++ == function && --number == 0)) {
    }
    return {call, calls.end()};
}

bool holds(const std::string& function, std::initializer_list<const char*> parts) {
    return std::any_of(parts.begin(), parts.end(),
                       [&](const char* part) { return function.find(part) != std::string::npos; });
}

bool isOneOf(const std::string& function, const std::vector<std::string>& functions) {
    return std::find(functions.begin(), functions.end(), function) != functions.end();
}

// Returns whether a function of this name frees, or only queries an error.
bool cleansUp(const std::string& function) {
    return holds(function, {"Free", "Destroy", "Unregister", "DeviceReset", "LastError"});
}

// Returns how often the code calls each named function; without names, each function except
// queries, whose result may be a status that the code waits for.
std::map<std::string, std::ptrdiff_t> callsToFail(const std::vector<std::string>& functions) {
    std::map<std::string, std::ptrdiff_t> calls;
    for (const std::string& call : cusim::calls())
        if (functions.empty() ? !holds(call, {"Query"}) : isOneOf(call, functions)) ++calls[call];
    return calls;
}

bool allocates(const std::string& function) { return holds(function, {"Malloc"}); }

cudaError_t errorOf(const std::string& function) {
    return allocates(function) ? cudaErrorMemoryAllocation : cudaErrorInvalidValue;
}

// Returns the calls that show that the code has not noticed an earlier failure in time.
// cudaGetLastError() after a launch also returns the errors of earlier calls, and a call that uses
// the missing memory or number fails as well.
std::vector<std::string> tooLateAfter(const std::string& function) {
    const bool asks = holds(function, {"Get"}) && !cleansUp(function);
    std::vector<std::string> late(function == "launch" ? 0 : 1, "launch");
    if (allocates(function) || asks) late.insert(late.end(), {"cudaMemcpy", "cudaMemset"});
    if (asks) late.insert(late.end(), {"cudaMalloc", "cudaFuncSetAttribute"});
    return late;
}

// Tests for a call that the code leaves out in a second run, because it has kept something. Fails
// the test if that is a copy.
bool isLeftOut(const Text& about, const std::string& function, std::ptrdiff_t number) {
    if (timesCalled(function) >= number) return false;
    if (function.find("Memcpy") == std::string::npos) return true;
    blameOnly(about);
    fail("not-copied-in", about,
         "{} number {} is left out when the function is called again\nwith the same matrices. "
         "Their values may have changed, which an address does not\ntell: copy in each call.",
         function, number);
}

}  // namespace

bool calledAfter(const std::vector<std::string>& names, const std::string& function,
                 std::ptrdiff_t number) {
    const std::vector<std::string> after = callsAfter(function, number);
    return std::any_of(after.begin(), after.end(), [&](const std::string& later) {
        return std::any_of(names.begin(), names.end(),
                           [&](const std::string& name) { return later.rfind(name, 0) == 0; });
    });
}

bool leftAfter(const std::string& function, std::ptrdiff_t number) {
    const std::vector<std::string> after = callsAfter(function, number);
    return timesCalled(function) >= number && std::all_of(after.begin(), after.end(), cleansUp);
}

void failUnchecked(const Text& about, const std::string& function, std::ptrdiff_t number,
                   const device::Outcome& end) {
    const bool isCall = function != "launch";
    const Text call = isCall ? filled("{} number {}", function, number) : Text("a launch");
    if (end.how == device::Outcome::Exited && end.exitStatus == 0)
        fail("error-ignored", about,
             "the test makes {} fail, and the program ends with\nexit(0), which means success. "
             "Let CHECK end it with exit(EXIT_FAILURE).",
             call);
    if (leftAfter(function, number) && !cleansUp(function))
        fail("error-ignored", about,
             "the test makes {} fail, but the function returns as if it had not:\nits caller takes "
             "the wrong values for the result. The exercise asks to end\nthe program, as "
             "CHECK(...) does; CUDA itself does not.",
             call);
    fail("error-ignored", about,
         "the test makes {} fail, and the function continues\nas if nothing had happened. Put {}",
         call,
         isCall ? "every CUDA call into CHECK(...).\nCHECK must end the program with "
                  "exit(EXIT_FAILURE)."
                : "CHECK(cudaGetLastError())\nright after it.");
}

void expectCallsChecked(const Text& about, const Outputs& outputs,
                        const std::function<void()>& studentCode,
                        const std::vector<std::string>& functions) {
    device::reset();
    const bool returned = device::runQuietly(outputs, studentCode).how == device::Outcome::Returned;
    const std::vector<cusim::Finding> leaks = findingsOf("leak");
    if (!returned || cusim::findings().size() > leaks.size()) return;  // other tests report these
    // A test of pinned memory leaves device memory to another one.
    const bool ofFree = functions.empty() ||
                        (isOneOf("cudaFree", functions) && !isOneOf("cudaFreeHost", functions));
    if (!leaks.empty() && ofFree)
        failFor(leaks, filled("{}: device memory is not freed.\n", about));
    bool tidied = false;                                   // a call that frees was looked at
    std::pair<std::string, std::ptrdiff_t> neverLookedAt;  // the first one that was not
    for (const auto& [function, times] : callsToFail(functions))
        for (std::ptrdiff_t number = 1; number <= times; ++number) {
            device::reset();
            cusim::failNext(function + ":" + std::to_string(number), errorOf(function));
            const device::Outcome run = device::runQuietly(outputs, studentCode);
            if (isLeftOut(about, function, number)) continue;
            const bool frees = holds(function, {"Free", "Destroy"});
            if (run.isError() && !calledAfter(tooLateAfter(function), function, number)) {
                tidied |= frees;
                continue;
            }
            if (!frees) {
                blameOnly(about);
                failUnchecked(about, function, number, run);
            }
            // A destructor that frees without checking the result is a style.
            if (!run.failedInDestructor && neverLookedAt.first.empty())
                neverLookedAt = {function, number};
        }
    if (!tidied || neverLookedAt.first.empty()) return;
    blameOnly(about);
    failUnchecked(about, neverLookedAt.first, neverLookedAt.second, {});
}

void expectExactBytes(const Text& about, int rows, int cols,
                      const std::function<void(float* zeros)>& studentCode) {
    // Without its first launch, a function with several would compute the product after all.
    if (cusim::launches().size() != 1) return;
    const std::size_t elements = product(rows, cols), bytes = elements * sizeof(float);
    const device::LastBlockOnly lastBlockOnly;
    device::reset();
    cusim::failNext("launch:1", cudaErrorInvalidConfiguration);
    device::runQuietly(gives(), [&] {
        // Of calloc, pages that are only read take no memory.
        const std::unique_ptr<void, decltype(&std::free)> zeros(std::calloc(bytes, 1), std::free);
        studentCode(static_cast<float*>(zeros.get()));
    });
    for (const cusim::StreamStep& step : cusim::streamSteps())
        if (step.what == cusim::StreamStep::CopyIn && step.bytes < bytes && bytes < step.bytes + 64)
            fail("not-copied-in", about,
                 "a matrix of {} elements takes {} bytes, but\na copy has {}. Is the number "
                 "of bytes a float? It rounds\nnumbers above 16,777,216: use size_t.",
                 grouped(elements), grouped(bytes), grouped(step.bytes));
}

}  // namespace lab
