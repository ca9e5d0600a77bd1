// Tests that a test's report shows what its student code has printed to stderr.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>

#include "simulator/simulator.h"
#include "testing/catch.h"
#include "testing/device.h"
#include "testing/failure.h"
#include "testing/reporter.h"

void launchPrinting();  // printing.cu
void printFromHost();

namespace {

std::string heard;

class Listening {
  public:
    Listening() {
        heard.clear();
        device::listenToPrinted([](const std::string& text) { heard += text; });
    }
    Listening(const Listening&) = delete;
    Listening& operator=(const Listening&) = delete;
    ~Listening() { device::listenToPrinted(testing::notePrinted); }
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

TEST_CASE("what CHECK prints of a call that has a finding is not reported again") {
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

TEST_CASE("all lines of a call that prints many are held, and it may print again") {
    const Listening listening;
    device::run([] {
        for (int i = 0; i < 100000; ++i) std::cerr << i << "\n";
    });
    CHECK(heard.substr(0, 6) == "0\n1\n2\n");
    CHECK(std::count(heard.begin(), heard.end(), '\n') == 100000);
    CHECK(std::cerr.good());
}

TEST_CASE("what is printed of an error that a test provokes is not reported") {
    const Listening listening;
    device::reset();
    device::runQuietly(lab::gives(), [] { std::fputs("one\n", stderr); });
    CHECK(heard.empty());
}

TEST_CASE("what host code prints by printf() and std::cout is held, too") {
    const Listening listening;
    device::run(printFromHost);
    CHECK(heard == "host 1\nhost 2\n");
    device::run([] { std::cout << "again\n"; });
    CHECK(heard == "host 1\nhost 2\nagain\n");
}

TEST_CASE("a report shows the beginning of what a failed test's code has printed") {
    testing::Failure failure;
    failure.test = "the product";
    failure.explanation = "the product is wrong\n";
    failure.printed = "1\n2\n3\n4\n5\n";
    CHECK(testing::onAScreen(failure).find("wrong\n       It printed:\n       1\n") !=
          std::string::npos);
    failure.printed += "6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n";
    CHECK(testing::printedBelow(failure).find("       20\n") != std::string::npos);
    failure.printed += "21\n22\n";
    CHECK(testing::onAScreen(failure).find("       20\n       ... and 2 more lines\n") !=
          std::string::npos);
}
