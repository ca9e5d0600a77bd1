#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "simulator/simulator.h"
#include "testing/device.h"
#include "testing/found_sim.h"
#include "testing/guarded_sim.h"
#include "testing/held_stderr_sim.h"
#include "testing/terminal.h"

namespace testing {
namespace {

// Initialized statically, like `nowhere`, so that it is set before any other object is made.
Caller caller = nullptr;

bool quiet = false;  // true while stderr is hidden anyway

}  // namespace

cusim::Outcome guarded(const lab::Outputs& outputs, const StudentCode& studentCode) {
    if (caller) return caller(outputs, studentCode);
    if (quiet || !printedIsHeard()) return cusim::guarded(studentCode);
    HeldStderr held;
    cusim::Outcome outcome = cusim::guarded(studentCode);
    // CHECK has printed which call failed; findings and messages also give the reason.
    const bool reported = !cusim::findings().empty() || !outcome.message.empty();
    held.giveOut(!(outcome.how == cusim::Outcome::Exited && reported));
    return outcome;
}

void callBy(Caller other) { caller = other; }

}  // namespace testing

namespace device {
namespace {

Outcome finish(const lab::Outputs& outputs, const std::function<void()>& studentCode) {
    const auto describe = [&] {
        cusim::forgetHostMemory();
        for (const auto* pieces : {&outputs.given(), &outputs.read()})
            for (const lab::Outputs::Piece& piece : *pieces) {
                const std::string_view bytes = piece.bytes(piece.object);
                cusim::describeHostMemory(bytes.data(), bytes.size());
            }
    };
    describe();
    cusim::nameIndices("Row", "Col");  // the names in all labs
    const cusim::Outcome ended = testing::guarded(outputs, [&] {
        studentCode();
        describe();  // the call may have replaced a matrix
    });
    cusim::forgetHostMemory();
    Outcome outcome;
    outcome.how = ended.how == cusim::Outcome::Returned ? Outcome::Returned
                  : ended.how == cusim::Outcome::Exited ? Outcome::Exited
                  : ended.how == cusim::Outcome::Threw  ? Outcome::Threw
                                                        : Outcome::Faulted;
    outcome.exitStatus = ended.exitStatus;
    outcome.message = ended.message;
    outcome.failedCall = ended.failedCall;
    outcome.at = {ended.at.file, ended.at.line};
    outcome.failedInDestructor = ended.failedInDestructor;
    // Graders read the findings of all runs from this file, one JSON object per line.
    const char* const file = std::getenv("CUSIM_FINDINGS");
    std::FILE* const out = file ? std::fopen(file, "a") : nullptr;
    if (file && !out)
        std::fprintf(stderr, "CUSIM_FINDINGS: %s cannot be written; choose another file\n", file);
    for (const cusim::Finding& finding : cusim::findings()) {
        outcome.problems.push_back({testing::found(finding), testing::wantsColour()
                                                                 ? cusim::colouredText(finding)
                                                                 : cusim::text(finding)});
        if (out) std::fprintf(out, "%s\n", cusim::json(finding).c_str());
    }
    if (out) std::fclose(out);
    return outcome;
}

// Hides stderr, and what kernels print, while an object lives.
class Quiet {
  public:
    Quiet() {
        std::fflush(stderr);
        kept_ = dup(STDERR_FILENO);
        if (testing::nowhere < 0) testing::nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
        dup2(testing::nowhere, STDERR_FILENO);
        testing::quiet = true;
        cusim::printTo(stderr);
    }
    ~Quiet() {
        testing::quiet = false;
        cusim::printTo(nullptr);
        std::fflush(stderr);
        dup2(kept_, STDERR_FILENO);
        close(kept_);
    }
    Quiet(const Quiet&) = delete;
    Quiet& operator=(const Quiet&) = delete;

  private:
    int kept_ = -1;
};

}  // namespace

void reset() { cusim::reset(); }

Outcome run(const lab::Outputs& outputs, const std::function<void()>& studentCode) {
    reset();
    return finish(outputs, studentCode);
}

Outcome runQuietly(const lab::Outputs& outputs, const std::function<void()>& studentCode) {
    const Quiet quiet;
    return finish(outputs, studentCode);
}

// Two seconds are enough: the solutions' threads and host code take milliseconds.
void expectShortRuns() { cusim::options().secondLimit = 2; }

WithoutWarps::WithoutWarps() : kept_(cusim::options().warpBlocks) {
    cusim::options().warpBlocks = -1;
}
WithoutWarps::~WithoutWarps() { cusim::options().warpBlocks = kept_; }

LastBlockOnly::LastBlockOnly() { cusim::options().lastBlockOnly = true; }
LastBlockOnly::~LastBlockOnly() { cusim::options().lastBlockOnly = false; }

std::size_t steps() { return cusim::streamSteps().size(); }

bool hasLaunched() { return !cusim::launches().empty(); }

void listenToPrinted(void (*listener)(const std::string& text)) {
    testing::listenToPrinted(listener);
}

void describeMatrix(const void* host, int rows, int cols) {
    cusim::describeMatrix(host, rows, cols);
}

void forgetMatrices() { cusim::forgetMatrices(); }

std::size_t notStoredByKernels(const matrix::Matrix& values) {
    return cusim::notStoredByKernels(values.data(), values.size());
}

std::string name() { return "the simulated device"; }

}  // namespace device
