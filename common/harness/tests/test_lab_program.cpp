// Tests single runs: the report and the exit status.
#include <algorithm>
#include <cstdlib>

#include "harness/tests/helpers.h"
#include "harness/text.h"
#include "matrix/file_io.h"
#include "simulator/simulator.h"

using namespace harness_test;

namespace {

void nothing(const Matrix&, const Matrix&, Matrix&) {}

}  // namespace

TEST_CASE("a right product is reported as ok, with status 0") {
    const Ran run = ran(labWith(rightProduct));
    checkEnded(run, 0, "verdict  ok: all 10,000 elements are right");
    CHECK(contains(run.out, "square-100-uniform"));
    CHECK(contains(run.out, "100 x 100 times 100 x 100"));
    CHECK(run.err.empty());
    CHECK(widestLine(run.out) <= 80);
}

TEST_CASE("a transposed product is reported as transposed, with status 1") {
    const Ran run = ran(labWith(transposedProduct));
    checkEnded(run, 1, "verdict  transposed");
    CHECK(run.err.empty());
    CHECK(widestLine(run.out) <= 80);
}

TEST_CASE("a product that is not written is reported as never written") {
    checkEnded(ran(labWith(nothing)), 1, "verdict  never written");
}

TEST_CASE("code that throws is reported with its message, with status 1") {
    const auto throwing = labWith(
        [](const Matrix&, const Matrix&, Matrix&) { throw std::runtime_error("no memory today"); });
    checkEnded(ran(throwing), 1, "no memory today");
}

TEST_CASE("code that changes an input is wrong, even if its product is right") {
    const auto changing = labWith([](const Matrix& M, const Matrix& N, Matrix& P) {
        rightProduct(M, N, P);
        const_cast<Matrix&>(N)(0, 0) += 1.0F;
    });
    checkEnded(ran(changing), 1, "N has changed");
}

TEST_CASE("a trace shows a separate run on a named small set, and changes no verdict") {
    const matrix_test::Folder folder;
    cusim::options().trace = folder.file("trace.csv", "");
    std::vector<int> widths;
    const auto wrongAtWidth100 = labWith([&](const Matrix& M, const Matrix& N, Matrix& P) {
        widths.push_back(P.rows());
        (P.rows() == 100 ? transposedProduct : rightProduct)(M, N, P);
    });
    const Ran run = ran(wrongAtWidth100);
    cusim::options().trace.clear();
    checkEnded(run, 1, "verdict  transposed");
    CHECK(widths == std::vector<int>{100, 16});
    CHECK(contains(run.out, "trace.csv, of one more run, on square-016-"));
    CHECK(contains(run.out, "It leaves out the run above, on\nsquare-100-uniform:"));
}

TEST_CASE("--brief reports a run in one line, with the fault if there is one") {
    const Ran run = ran(labWith(rightProduct), {"--brief"});
    CHECK(run.status == 0);
    CHECK(std::count(run.out.begin(), run.out.end(), '\n') == 1);
    CHECK(contains(run.out, "lab1 here "));
    checkEnded(ran(labWith(transposedProduct), {"--brief"}), 1, "transposed\n");
}

TEST_CASE("a report of the simulated device has no time of the simulation") {
    CHECK_FALSE(contains(ran(labWith(rightProduct)).out, " ms"));
}

TEST_CASE("--help prints the options and runs nothing") {
    bool called = false;
    const Ran run =
        ran(labWith([&](const Matrix&, const Matrix&, Matrix&) { called = true; }), {"--help"});
    CHECK(run.status == 0);
    CHECK_FALSE(called);
    CHECK(contains(run.out, "--sets DIR"));
}

TEST_CASE("wrong usage is one sentence on the error stream, with status 2") {
    const Ran run = ran(labWith(rightProduct), {"--fast"});
    CHECK(run.status == 2);
    CHECK(run.out.empty());
    CHECK(run.err == "lab1 here: '--fast' is not an option of this program; see --help\n");
}

TEST_CASE("libwb's files and command line run as they are, and -o writes the product") {
    const Folder folder;
    const std::string M = folder.file("input0.raw", "2 3\n1. 2. 3.\n4. 5. 6.");
    const std::string N = folder.file("input1.raw", "3 1\n1.00\n0.00\n2.00");
    const std::string expected = folder.file("output.raw", "2\n7.00\n16.00");
    const std::string mine = folder.file("mine.raw");
    const Ran run =
        ran(labWith(rightProduct), {"-e", expected, "-i", M + "," + N, "-o", mine, "-t", "matrix"});
    CHECK(run.status == 0);
    CHECK(run.err.empty());
    CHECK(contains(run.out, "2 x 3 times 3 x 1"));
    CHECK(matrix::readFile(mine) == "2 1\n7\n16\n");
}

TEST_CASE("a product with no numbers in it is not written, and the report says so") {
    const Folder folder;
    const std::string M = folder.file("M.raw", "1 1\n1\n");
    const std::string mine = folder.file("mine.raw");
    checkEnded(ran(labWith(nothing), {"-i", M + "," + M, "-o", mine}), 1, "is not written");
    CHECK_FALSE(std::filesystem::exists(mine));
}

TEST_CASE("an expected product with two decimals is compared within its rounding") {
    // The product is 1.8049.
    CHECK(ranOn(labWith(rightProduct), "1 2\n0.33 1.57\n", "2 1\n2.71\n0.58\n", "1 1\n1.80\n")
              .status == 0);
}

TEST_CASE("a stale expected product is an input error that names the file") {
    const std::string stale = "2 2\n19 22\n43 51\n";
    checkRefused(ranOn(labWith(rightProduct), "2 2\n1 2\n3 4\n", "2 2\n5 6\n7 8\n", stale),
                 "P.raw is not the product of its inputs: 1 of its 4 values");
}

TEST_CASE("a transposed expected product is an input error that says so") {
    Ran run = ranOn(labWith(rightProduct), "3 2\n1 2\n3 4\n5 -6\n", "2 2\n5 6\n7 8\n",
                    "2 3\n19 43 -17\n22 50 -18\n");
    checkRefused(run, "P.raw is 2 x 3");
    CHECK(contains(run.err, "transposed"));

    const std::string square = "3 3\n1 2 3\n4 5 6\n7 8 10\n";
    run = ranOn(labWith(rightProduct), square, square, "3 3\n30 66 109\n36 81 134\n45 102 169\n");
    checkRefused(run, "P.raw is not the product");
    CHECK(contains(run.err, "transposed"));
}

TEST_CASE("shapes that cannot be multiplied are an input error") {
    const Ran run = ranOn(labWith(rightProduct), "2 2\n1 2\n3 4\n", "3 1\n1\n2\n3\n");
    checkRefused(run, "M.raw is 2 x 2");
    CHECK(contains(run.err, "cannot be multiplied"));
}

TEST_CASE("a square lab refuses a rectangular set") {
    const std::string M = "2 1\n1\n3\n", N = "1 2\n1 2\n";
    checkRefused(ranOn(labWith(rightProduct, true), M, N), "square");
    CHECK(ranOn(labWith(rightProduct, false), M, N).status == 0);
}

TEST_CASE("a missing file is an input error") {
    const Folder folder;
    const std::string files = folder.file("a.raw") + "," + folder.file("b.raw");
    checkRefused(ran(labWith(rightProduct), {"-i", files}), "a.raw");
}

TEST_CASE("whole numbers must be met exactly, real ones within the bound") {
    const auto offByAnUlp = labWith([](const Matrix& M, const Matrix& N, Matrix& P) {
        rightProduct(M, N, P);
        P(0, 0) *= 1.0000001F;
    });
    const std::string whole = "2 2\n3 5\n7 9\n", real = "2 2\n3.1 5.2\n7.3 9.4\n";
    CHECK(ranOn(offByAnUlp, whole, whole).status == 1);
    CHECK(ranOn(offByAnUlp, real, real).status == 0);
}

TEST_CASE("code that calls exit() does not end the program, and gets status 1") {
    const Ran run = ran(labWith([](const Matrix&, const Matrix&, Matrix&) { std::exit(3); }));
    checkEnded(run, 1, "verdict  early exit");
    CHECK(contains(run.out, "exit(3)"));
}

TEST_CASE("code that launches nothing is reported") {
    const Ran run = ran(labWith(rightProduct));
    CHECK(contains(run.out, "No kernel was launched."));
}

TEST_CASE("numbers are written in groups of digits, and with few decimals") {
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
