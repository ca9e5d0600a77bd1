// Tests that a test's report shows what its student code has printed to stderr.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>

#include "simulator/simulator.h"
#include "testing/catch.h"
#include "testing/device.h"
#include "testing/failure.h"
#include "testing/reporter.h"

void launchPrinting();  // printing.cu

namespace {

std::string heard;

class Listening {
  public:
    Listening() {
        heard.clear();
        device::hearPrinted([](const std::string& text) { heard += text; });
    }
    Listening(const Listening&) = delete;
    Listening& operator=(const Listening&) = delete;
    ~Listening() { device::hearPrinted(testing::notePrinted); }
};

}  // namespace

TEST_CASE("what student code prints is held until its call has ended") {
    const Listening listening;
    device::run([] {
        std::fputs("one\n", stderr);
        std::cerr << "two\n";
    });
    CHECK(heard == "one\ntwo\n");
}

TEST_CASE(
    "what a program prints before exit() is held, and its last word where nothing else tells") {
    const Listening listening;
    device::run([] {
        std::fputs("one\ntwo\n", stderr);
        std::exit(1);
    });
    CHECK(heard == "one\ntwo\n");
}

TEST_CASE("what CHECK prints of a call that has a finding is not told again") {
    const Listening listening;
    const device::Outcome outcome = device::run([] {
        std::fputs("one\n", stderr);
        float x = 0;
        cudaFree(&x);
        std::fputs("kernel.cu:9: invalid argument\n", stderr);
        std::exit(1);
    });
    CHECK(outcome.problems.size() == 1);
    CHECK(heard == "one\n");
}

TEST_CASE("what a kernel prints is held, too, and hidden with an error that a test provokes") {
    const Listening listening;
    device::run(launchPrinting);
    CHECK(heard == "thread 0\n");
    device::runQuietly(lab::gives(), launchPrinting);
    CHECK(heard == "thread 0\n");
}

TEST_CASE("a call that prints more than a pipe takes comes to its end, and may print again") {
    const Listening listening;
    device::run([] {
        for (int i = 0; i < 100000; ++i) std::cerr << i << "\n";
    });
    CHECK(heard.substr(0, 6) == "0\n1\n2\n");
    CHECK(std::cerr.good());
}

TEST_CASE("what is printed of an error that a test provokes is not told") {
    const Listening listening;
    device::reset();
    device::runQuietly(lab::gives(), [] { std::fputs("one\n", stderr); });
    CHECK(heard.empty());
}

TEST_CASE("a report shows the beginning of what a failed test's code has printed") {
    testing::Failure failure;
    failure.test = "the product";
    failure.explanation = "the product is wrong\n";
    failure.printed = "1\n2\n3\n4\n5\n";
    CHECK(testing::onAScreen(failure).find("wrong\n       It printed:\n       1\n") !=
          std::string::npos);
    CHECK(testing::onAScreen(failure).find("       4\n       ... and more") != std::string::npos);
}
