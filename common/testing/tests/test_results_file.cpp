// Tests what the results file tells other programs of a failed test.
#include <cstdlib>
#include <fstream>
#include <string>

#include "matrix/tests/helpers.h"
#include "testing/catch.h"
#include "testing/results_file.h"

namespace {

// Returns the first line of the results of one test.
std::string lineOf(const testing::Failure& failure, testing::Status status) {
    const matrix_test::Folder folder;
    const std::string file = folder.file("results");
    setenv("LAB_RESULTS", file.c_str(), 1);
    testing::ResultsFile results(true);
    unsetenv("LAB_RESULTS");
    results.runBegan();
    results.testEnded(failure, status, "       it is wrong\n");
    results.runEnded(true);
    std::ifstream in(file);
    std::string line;
    std::getline(in, line);
    return line.substr(line.find("\"test\""));
}

}  // namespace

TEST_CASE("the results of a failed test hold its findings, and where to begin") {
    testing::Finding race;
    race.kind = "race";
    race.at = {"kernel.cu", 8};
    race.others = {{"kernel.cu", 9}};
    race.thread = {0, 1, 0};
    race.block = {2, 0, 0};
    race.remedy = "Put a barrier there.";
    testing::Failure failure;
    failure.test = "TODO(3): a";
    failure.findings = {race, {"no-kernel"}};
    setenv("LAB_KERNEL", "kernel.cu", 1);
    const std::string line = lineOf(failure, testing::Status::Failed);
    unsetenv("LAB_KERNEL");
    CHECK(line ==
          "\"test\":\"TODO(3): a\",\"status\":\"failed\",\"findings\":[\"no-kernel\",\"race\"],"
          "\"explanation\":\"it is wrong\",\"todo\":\"TODO(3)\",\"file\":\"kernel.cu\",\"line\":8,"
          "\"found\":[{\"kind\":\"race\",\"file\":\"kernel.cu\",\"line\":8,"
          "\"others\":[{\"file\":\"kernel.cu\",\"line\":9}],\"thread\":[0,1,0],\"block\":[2,0,0],"
          "\"remedy\":\"Put a barrier there.\"},{\"kind\":\"no-kernel\"}]}");
}

TEST_CASE("the results of a test that has passed hold no more than that") {
    testing::Failure passed;
    passed.test = "b";
    CHECK(lineOf(passed, testing::Status::Passed) ==
          "\"test\":\"b\",\"status\":\"passed\",\"findings\":[],\"explanation\":\"it is wrong\"}");
}
