#include "harness/judged_run.h"

#include <chrono>

#include "harness/launch_times.h"
#include "testing/device.h"

namespace harness {
namespace {

using matrix::Matrix;

// Characters after which no more findings are added: one mistake can cause one for each launch.
constexpr std::size_t kEnough = 3000;

void blame(JudgedRun& run, const std::string& verdict, const std::string& explanation) {
    run.ok = false;
    if (run.verdict.empty()) run.verdict = verdict;
    if (run.explanation.size() < kEnough) run.explanation += explanation;
}

void judgeEnd(JudgedRun& run, const device::Outcome& outcome) {
    for (const device::Problem& problem : outcome.problems)
        blame(run, problem.finding.kind, problem.text);
    // If there are problems, they already tell the cause of an early end.
    if (run.returned || !outcome.problems.empty()) return;
    if (outcome.how == device::Outcome::Exited)
        blame(run, "early exit",
              (outcome.message.empty() ? "" : outcome.message + ".\n") +
                  "The code ended the program with exit(" + std::to_string(outcome.exitStatus) +
                  ").\n");
    else if (outcome.how == device::Outcome::Threw)
        blame(run, "exception", "The code threw an exception: " + outcome.message + "\n");
    else
        blame(run, "crash", "The code crashed: " + outcome.message + "\n");
}

void judgeInput(JudgedRun& run, const char* name, const Matrix& now, const Matrix& before) {
    if (now == before) return;
    blame(run, "input changed",
          std::string(name) +
              " has changed: the kernel or a copy wrote into it. Store only into "
              "P.\n");
}

}  // namespace

JudgedRun judge(const Multiply& multiply, const ProductSet& set,
                const matrix::Reference& reference) {
    const Matrix M = set.M, N = set.N;
    JudgedRun run;
    run.ok = true;
    run.P = matrix::poisoned(set.j(), set.l());
    device::describeMatrix(M.data(), set.j(), set.k());
    device::describeMatrix(N.data(), set.k(), set.l());
    device::describeMatrix(run.P.data(), set.j(), set.l());
    timeLaunches();
    const auto start = std::chrono::steady_clock::now();
    const device::Outcome outcome = device::run([&] { multiply(M, N, run.P); });
    run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    run.kernelMicroseconds = microsecondsOfLaunches();
    run.returned = outcome.how == device::Outcome::Returned;
    judgeEnd(run, outcome);
    run.comparison = matrix::compare(run.P, set.M, set.N, reference, set.exact);
    if (run.returned && !run.comparison.passed)
        blame(run, matrix::name(run.comparison.looks), run.comparison.explanation + "\n");
    judgeInput(run, "M", M, set.M);
    judgeInput(run, "N", N, set.N);
    if (run.ok) run.verdict = "ok";
    return run;
}

}  // namespace harness
