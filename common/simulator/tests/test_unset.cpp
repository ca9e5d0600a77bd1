// Tests that unset reads are found, whichever thread reads first, and that near misses are not.
#include <map>
#include <string>
#include <vector>

#include "chosen_options.h"
#include "findings_text.h"
#include "kernels_unset.h"
#include "testing/catch.h"

namespace {

struct Expected {
    std::string array, mark;
    unsigned long long count;
    std::string example;  // part of the example
};

const std::map<std::string, Expected>& unsetReads() {
    static const std::map<std::string, Expected> all{
        {"never stored", {"s (shared)", "never-stored", 64, "s[0], by thread (0,0,0)"}},
        // 5 of 8 rows lack 3 elements, the others all 8, and 8 threads read each row: 8 * 39.
        {"part of a tile", {"tile (shared)", "part-of-tile", 312, "tile[0][5],"}},
        {"add to unset", {"s (shared)", "add-to-unset", 64, "s[0],"}},
        {"one not stored by another",
         {"s (shared)", "stored-by-other", 1, "s[63], by thread (63,0,0)"}},
        {"second block", {"s (shared)", "second-block", 64, "by thread (0,0,0) of block (1,0,0)"}},
        // Every atomic counts, so that their order does not matter.
        {"atomic on unset",
         {"total (shared)", "atomic-on-unset", 192, "by thread (0,0,0) of block (0,0,0)"}},
        {"double", {"s (shared)", "unset-double", 4, "s[60],"}},
        {"dynamic", {"s (shared)", "unset-dynamic", 4, "s[60], by"}},
        {"device memory never filled",
         {"d_x", "device-read", 192, "d_x[0] (counted in 4-byte words), by thread (0,0,0)"}},
        {"device memory partly filled",
         {"d_x", "device-read", 92,
          "d_x[100] (counted in 4-byte words), by thread (36,0,0) of "
          "block (1,0,0)"}},
        {"device memory partly set",
         {"d_x", "device-read", 1, "by thread (63,0,0) of block (2,0,0)"}},
        {"device memory partly stored", {"d_x", "device-read", 42, "d_x[150] "}},
        {"device memory copied from unset", {"d_x", "device-read", 42, "d_x[150] "}},
        {"counter",
         {"d_x", "device-count", 192,
          "d_x[0] (counted in 4-byte words), by thread (0,0,0) of "
          "block (0,0,0)"}},
    };
    return all;
}

void checkUnset(const cusim::Finding& finding, const Expected& expected) {
    INFO(cusim::text(finding));
    CHECK(finding.kind == "unset-read");
    CHECK(holds(finding.title, "reads " + expected.array + " where"));
    CHECK(marksOf(finding.file, finding.line) == expected.mark);
    CHECK(finding.count == expected.count);
    bool found = false;
    for (const std::string& detail : finding.details) found |= holds(detail, expected.example);
    CHECK(found);
    CHECK_FALSE(finding.remedy.empty());
}

void run(const std::string& name) {
    cusim::reset();
    unset::launch(name);
}

std::vector<std::string> kindsOf(const std::string& name) {
    run(name);
    std::vector<std::string> kinds;
    for (const cusim::Finding& finding : cusim::findings()) kinds.push_back(finding.kind);
    return kinds;
}

using Kinds = std::vector<std::string>;

void checkOutput(const std::string& mark, const std::string& title, const std::string& detail) {
    const cusim::Finding finding = onlyFinding();
    INFO(cusim::text(finding));
    CHECK(finding.kind == "unset-output");
    CHECK(marksOf(finding.file, finding.line) == mark);
    CHECK(holds(finding.title, title));
    REQUIRE(finding.details.size() == 1);
    CHECK(finding.details[0] == detail);
}

}  // namespace

DEVICE_TEST("A read of what nothing has written is found, and its near misses stay silent") {
    std::size_t seen = 0;
    for (const std::string& name : unset::names()) {
        INFO(name);
        run(name);
        INFO(allFindings());
        if (name.rfind("ok ", 0) == 0) CHECK(cusim::findings().empty());
        if (unsetReads().count(name) == 0) continue;
        ++seen;
        checkUnset(onlyFinding(), unsetReads().at(name));
    }
    CHECK(seen == unsetReads().size());
}

TEST_CASE("The report of an unset read depends on no schedule, no host thread and no repetition") {
    checkSameTextAlways(unset::names(), run);
}

DEVICE_TEST("A byte that nothing has written is found by itself and in its word") {
    run("byte");
    REQUIRE(cusim::findings().size() == 2);
    checkUnset(cusim::findings()[0],
               {"s (shared)", "unset-byte", 1, "by thread (9,0,0) of block (0,0,0)"});
    checkUnset(cusim::findings()[1],
               {"s (shared)", "unset-word", 1, "by thread (7,0,0) of block (0,0,0)"});
}

DEVICE_TEST("Whether a racing read comes before the write is left to the race") {
    CHECK(kindsOf("racing") == Kinds{"race"});
    // An unset read of another array in the same kernel is still found.
    CHECK(kindsOf("racing and unset") == Kinds{"race", "race", "unset-read"});
    checkUnset(cusim::findings()[2], {"never (shared)", "never", 64, "never[0],"});
}

DEVICE_TEST("An output that nothing has written is found where it is copied to the host") {
    SECTION("all of it") {
        unset::copyOutput(0, 48);
        checkOutput("copy-out", "cudaMemcpy copies d_out, which nothing has written",
                    "12 of 12 words of 4 bytes; the first is at index 0");
    }
    SECTION("a part") {
        unset::copyOutput(7, 48);
        checkOutput("copy-out", "cudaMemcpy copies d_out out, but parts of it were never written",
                    "5 of 12 words of 4 bytes; the first is at index 7");
    }
    SECTION("the last element") {
        unset::copyOutput(11, 48);
        checkOutput("copy-out", "parts of it",
                    "1 of 12 words of 4 bytes; the first is at index 11");
    }
    SECTION("through a copy on the device") {
        unset::copyOutputOfCopy(9);
        checkOutput("copy-of-copy", "cudaMemcpy copies d_copy out",
                    "3 of 12 words of 4 bytes; the first is at index 9");
    }
}

DEVICE_TEST("An output that was written, or whose unset part is not copied, is no finding") {
    unset::copyOutput(12, 48);
    unset::copyOutput(7, 28);
    unset::copyOutput(0, 0);
    unset::copyOutputOfCopy(12);
    CHECK(allFindings().empty());
}

DEVICE_TEST("Without the check of unset reads none is reported, but a race is") {
    cusim::options().unset = false;
    CHECK(kindsOf("never stored").empty());
    CHECK(kindsOf("device memory never filled").empty());
    unset::copyOutput(0, 48);
    CHECK(cusim::findings().empty());
    CHECK(kindsOf("racing") == Kinds{"race"});
    cusim::options().unset = true;
    CHECK(kindsOf("never stored") == Kinds{"unset-read"});
    // A read that was left to the race is reported once races are not.
    cusim::options().races = false;
    CHECK(kindsOf("racing") == Kinds{"unset-read"});
    CHECK(kindsOf("never stored") == Kinds{"unset-read"});
}

TEST_CASE("Shared memory is unset again in each of a great many blocks") {
    const ChosenOptions chosen(1);
    // More blocks than there are marks. 899 of them read 32 elements each.
    const unsigned long long found = unset::blocksOfWhichTheFirstStores(900);
    CHECK(found == 28768);
}

DEVICE_TEST("An element of a described matrix is named by row and column") {
    // 192 ints, which one matrix alone has.
    cusim::describeMatrix(nullptr, 12, 16);
    run("device memory never filled");
    CHECK(holds(onlyFinding().details[0], "d_x[0] (row 0, column 0), by thread"));
    // Two shapes have this size, and no copy tells them apart.
    cusim::describeMatrix(nullptr, 16, 12);
    run("device memory never filled");
    CHECK(holds(cusim::findings()[0].details[0], "d_x[0] (counted in 4-byte words)"));
    cusim::forgetMatrices();
}

DEVICE_TEST(
    "Local variables that nothing has set hold the same pattern in every thread and block") {
    for (const int blocks : {1, 2, 40}) {
        INFO(blocks << " blocks");
        CHECK(unset::localWordsThatDiffer(blocks) == 0);
    }
}
