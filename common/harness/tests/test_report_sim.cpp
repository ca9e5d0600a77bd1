// Tests what only the simulated device reports: counts, and code that ends the program.
#include <cstdlib>

#include "harness/tests/helpers.h"
#include "harness/text.h"

using namespace harness_test;

TEST_CASE("code that calls exit() does not end the program, and gets status 1") {
    const Ran run = ran(labWith([](const Matrix&, const Matrix&, Matrix&) { std::exit(3); }), {});
    CHECK(run.status == 1);
    CHECK(contains(run.out, "verdict  early exit"));
    CHECK(contains(run.out, "exit(3)"));
}

TEST_CASE("code that launches nothing is told so") {
    const Ran run = ran(labWith(rightProduct), {});
    CHECK(contains(run.out, "No kernel was launched."));
}

TEST_CASE("numbers are written as people read them") {
    CHECK(harness::grouped(0) == "0");
    CHECK(harness::grouped(999) == "999");
    CHECK(harness::grouped(33554432) == "33,554,432");
    CHECK(harness::errorSize(0.0) == "0");
    CHECK(harness::errorSize(2.34e-7) == "2.3e-7");
    CHECK(harness::errorSize(4.5) == "4.5");
    CHECK(harness::plain(0.125) == "0.12");
    CHECK(harness::plain(16.0) == "16.0");
    CHECK(harness::plain(1234.4) == "1,234");
    CHECK(harness::cutEnd("never written", 9) == "never w..");
    CHECK(harness::cutBeginning("a/long/path", 6) == "..path");
}
