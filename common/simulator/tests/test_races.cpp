// Tests that two threads at one place with no barrier between are found, whichever came first, and
// that near misses are not.
#include <map>
#include <string>
#include <vector>

#include "chosen_options.h"
#include "findings_text.h"
#include "kernels_races.h"
#include "testing/catch.h"

namespace {

// What a race's finding must say. A line is named by the mark in its comment.
struct ExpectedRace {
    std::string array, first, second;  // marks; the same twice for one line
    unsigned long long count;
    std::string example;  // part of the example
};

std::string otherMark(const cusim::Finding& finding) {
    const std::string label = "other side: ";
    for (const std::string& detail : finding.details) {
        if (detail.rfind(label, 0) != 0) continue;
        const std::size_t colon = detail.find(':', label.size());
        return marksOf(detail.substr(label.size(), colon - label.size()),
                       std::stoi(detail.substr(colon + 1)));
    }
    return holds(finding.title, "on the same line") ? marksOf(finding.file, finding.line)
                                                    : "no other side";
}

void checkRace(const cusim::Finding& finding, const ExpectedRace& expected) {
    INFO(cusim::text(finding));
    CHECK(finding.kind == "race");
    CHECK(holds(finding.title, "race on " + expected.array + ":"));
    CHECK(marksOf(finding.file, finding.line) == expected.first);
    CHECK(otherMark(finding) == expected.second);
    CHECK(finding.count == expected.count);
    CHECK(anyHolds(finding.details, expected.example));
    CHECK_FALSE(finding.kernel.empty());
    CHECK_FALSE(finding.remedy.empty());
}

using Races = std::vector<ExpectedRace>;

std::string byThreads(const std::string& first, const std::string& does, const std::string& second,
                      const std::string& doesToo, const std::string& block = "0,0,0") {
    return "thread (" + first + ") " + does + " it, thread (" + second + ") " + doesToo +
           " it, in block (" + block + "), with no barrier between";
}
std::string writeRead(const std::string& writer, const std::string& reader,
                      const std::string& block = "0,0,0") {
    return byThreads(writer, "writes", reader, "reads", block);
}
std::string byBlocks(const std::string& first, const std::string& does, const std::string& second,
                     const std::string& doesToo) {
    return "block (" + first + ",0,0) " + does + " it, block (" + second + ",0,0) " + doesToo +
           " it in the same launch";
}

const std::map<std::string, Races>& ofSharedMemory() {
    // The tiled launches have 4 blocks of 64 elements each and 2 phases.
    static const std::map<std::string, Races> all{
        {"tiled without its first barrier",
         {{"tileA (shared)", "fill-A", "use", 512, writeRead("0,0,0", "7,0,0")},
          {"tileB (shared)", "fill-B", "use", 512, writeRead("0,0,0", "0,7,0")}}},
        {"tiled without its second barrier",
         {{"tileA (shared)", "fill-A", "use", 256, writeRead("0,0,0", "7,0,0")},
          {"tileB (shared)", "fill-B", "use", 256, writeRead("0,0,0", "0,7,0")}}},
        {"tiled without barriers",
         {{"tileA (shared)", "fill-A", "use", 256, writeRead("0,0,0", "7,0,0")},
          {"tileB (shared)", "fill-B", "use", 256, writeRead("0,0,0", "0,7,0")}}},
        {"two threads write one element",
         {{"s (shared)", "write-write", "write-write", 32,
           byThreads("0,0,0", "writes", "1,0,0", "writes")}}},
        {"two lines write one element",
         {{"s (shared)", "first-writer", "second-writer", 1,
           byThreads("5,0,0", "writes", "40,0,0", "writes")}}},
        {"neighbour read", {{"s (shared)", "own", "next", 64, writeRead("0,0,0", "63,0,0")}}},
        {"transposed read",
         {{"tile (shared)", "write-1", "read-1", 56, writeRead("1,0,0", "0,1,0")},
          {"tile (shared)", "write-1", "read-2", 56, writeRead("1,0,0", "0,1,0")}}},
        {"next write",
         {{"tile (shared)", "write-2", "read-1", 56, writeRead("1,0,0", "0,1,0")},
          {"tile (shared)", "write-2", "read-2", 56, writeRead("1,0,0", "0,1,0")}}},
        {"reduction",
         {{"partial (shared)", "reduce-in", "reduce-add", 63, writeRead("1,0,0", "0,0,0")},
          {"partial (shared)", "reduce-add", "reduce-add", 31, writeRead("1,0,0", "0,0,0")}}},
        {"all store the same value",
         {{"found (shared)", "same-value", "same-value", 1,
           byThreads("0,0,0", "writes", "63,0,0", "writes")}}},
        {"store beside atomics",
         {{"total (shared)", "add", "beside-store", 1,
           byThreads("0,0,0", "updates", "33,0,0", "writes")}}},
        {"load beside atomics",
         {{"total (shared)", "add", "beside-load", 1,
           byThreads("0,0,0", "updates", "33,0,0", "reads")}}},
        {"five instructions",
         {{"s (shared)", "many-a", "many-b", 1, "(0,0,0) writes it, thread (10,0,0) writes"},
          {"s (shared)", "many-a", "many-c", 1, "(0,0,0) writes it, thread (20,0,0) writes"},
          {"s (shared)", "many-a", "many-d", 1, "(0,0,0) writes it, thread (30,0,0) reads"},
          {"s (shared)", "many-a", "many-e", 1, "(0,0,0) writes it, thread (40,0,0) reads"},
          {"s (shared)", "many-b", "many-c", 1, "(10,0,0) writes it, thread (20,0,0) writes"},
          {"s (shared)", "many-b", "many-d", 1, "(10,0,0) writes it, thread (30,0,0) reads"},
          {"s (shared)", "many-b", "many-e", 1, "(10,0,0) writes it, thread (40,0,0) reads"},
          {"s (shared)", "many-c", "many-d", 1, "(20,0,0) writes it, thread (30,0,0) reads"},
          {"s (shared)", "many-c", "many-e", 1, "(20,0,0) writes it, thread (40,0,0) reads"}}},
        {"second block only",
         {{"s (shared)", "second-block-own", "second-block-other", 64,
           writeRead("0,0,0", "1,0,0", "1,0,0")}}},
        {"barrier in a loop",
         {{"s (shared)", "loop-write", "loop-read", 192, writeRead("0,0,0", "63,0,0")}}},
        {"some return",
         {{"s (shared)", "return-own", "return-other", 40, writeRead("0,0,0", "39,0,0")}}},
        {"barrier in a branch",
         {{"s (shared)", "branch-own", "branch-other", 32, writeRead("0,0,0", "63,0,0")}}},
        {"three threads",
         {{"s (shared)", "three-write", "three-write", 1,
           byThreads("1,0,0", "writes", "3,0,0", "writes")},
          {"s (shared)", "three-write", "three-read", 1, writeRead("1,0,0", "5,0,0")}}},
    };
    return all;
}

const std::map<std::string, Races>& ofWarpsAndSizes() {
    const auto neighbours = [](const std::string& array, const std::string& mark,
                               unsigned long long count) {
        return Races{{array + " (shared)", mark + "-own", mark + "-other", count,
                      writeRead("0,0,0", "63,0,0")}};
    };
    const auto lanes = [](const std::string& other) {
        return Races{{"s (shared)", "lane-own", "lane-other", 64, writeRead("0,0,0", other)}};
    };
    // Counts are of words of 4 bytes.
    static const std::map<std::string, Races> all{
        {"lanes", lanes("1,0,0")},
        {"warps with __syncwarp", lanes("32,0,0")},
        {"lanes with shuffle", lanes("1,0,0")},
        {"sum of a warp",
         {{"s (shared)", "warp-sum", "warp-result", 2, writeRead("0,0,0", "1,0,0")}}},
        {"chars", neighbours("small", "piece", 16)},
        {"shorts", neighbours("small", "piece", 32)},
        {"byte and word", {{"words (shared)", "byte", "word", 1, writeRead("20,0,0", "63,0,0")}}},
        {"byte in the middle of a word",
         {{"words (shared)", "into-byte", "into-word", 1,
           byThreads("33,0,0", "writes", "2,0,0", "writes")}}},
        {"doubles", neighbours("wide", "double", 128)},
        {"vectors", neighbours("four", "vector", 256)},
        {"structs", neighbours("particles", "struct", 192)},
        {"one member",
         {{"shared (shared)", "member-x", "member-x", 32,
           byThreads("0,0,0", "writes", "1,0,0", "writes")}}},
        {"dynamic",
         {{"s (shared)", "dynamic-own", "dynamic-other", 64, writeRead("0,0,0", "1,0,0")}}},
        {"odd sizes",
         {{"behind (shared)", "odd-own", "odd-other", 2, writeRead("0,0,0", "6,0,0")}}},
    };
    return all;
}

const std::map<std::string, Races>& ofDeviceMemory() {
    static const std::map<std::string, Races> all{
        {"within a block",
         {{"d_y", "within-own", "within-other", 96, writeRead("0,0,0", "1,0,0")}}},
        {"blocks write",
         {{"d_y", "all-write", "all-write", 1, byBlocks("0", "writes", "11", "writes")}}},
        {"blocks write managed",
         {{"d_y", "all-write", "all-write", 1, byBlocks("0", "writes", "11", "writes")}}},
        {"next block's element",
         {{"d_y", "next-own", "next-other", 12, byBlocks("0", "writes", "11", "reads")}}},
        {"first block reads",
         {{"d_y", "first-write", "first-write", 1, byBlocks("0", "writes", "11", "writes")},
          {"d_y", "first-write", "first-read", 1, byBlocks("11", "writes", "0", "reads")}}},
        {"read beside atomics",
         {{"d_y", "blocks-add", "blocks-read", 1, byBlocks("0", "updates", "7", "reads")}}},
        {"threads and blocks",
         {{"d_y", "both", "both", 12, byThreads("0,0,0", "writes", "7,0,0", "writes")},
          {"d_y", "both", "both", 1, byBlocks("0", "writes", "11", "writes")}}},
        {"variable",
         {{"total", "variable", "variable", 1, byBlocks("0", "writes", "11", "writes")}}},
        {"byte and word of blocks",
         {{"d_y", "blocks-byte", "blocks-word", 1, byBlocks("0", "writes", "2", "reads")}}},
        {"words after bytes",
         {{"d_y", "all-write", "all-write", 1, byBlocks("0", "writes", "11", "writes")}}},
    };
    return all;
}

void run(const std::string& name) {
    cusim::reset();
    for (const auto* table : {&racing::sharedTable(), &racing::warpTable(), &racing::globalTable()})
        if (table->count(name) != 0) return table->at(name)();
    FAIL("no launch " << name);
}

std::vector<cusim::Finding> racesFound() {
    std::vector<cusim::Finding> races;
    for (const cusim::Finding& finding : cusim::findings())
        if (finding.kind == "race") races.push_back(finding);
    return races;
}

// Checks that each launch has the expected races, and a near miss none.
void checkAll(const LaunchTable& table, const std::map<std::string, Races>& expected) {
    std::size_t racy = 0;
    for (const std::string& name : namesOf(table)) {
        INFO(name);
        run(name);
        INFO(allFindings());
        if (name.rfind("ok ", 0) == 0) {
            CHECK(racesFound().empty());
            continue;
        }
        ++racy;
        REQUIRE(expected.count(name) == 1);
        const Races& races = expected.at(name);
        REQUIRE(racesFound().size() == races.size());
        for (std::size_t i = 0; i < races.size(); ++i) checkRace(racesFound()[i], races[i]);
    }
    CHECK(racy == expected.size());
}

// Returns the remedy of the only finding of this launch.
std::string remedyOf(const std::string& name) {
    run(name);
    return onlyFinding().remedy;
}

}  // namespace

DEVICE_TEST("A race on shared memory is found with both lines, and its near misses stay silent") {
    checkAll(racing::sharedTable(), ofSharedMemory());
}

DEVICE_TEST("Lanes race unless __syncwarp orders them, and pieces of a word are told apart") {
    checkAll(racing::warpTable(), ofWarpsAndSizes());
}

DEVICE_TEST("A race on device memory is found within a block, across blocks and host threads") {
    checkAll(racing::globalTable(), ofDeviceMemory());
}

TEST_CASE("The report of a race depends on no schedule, no host thread and no repetition") {
    SECTION("on shared memory") { checkSameTextAlways(racing::sharedTable(), run); }
    SECTION("of warps and sizes") { checkSameTextAlways(racing::warpTable(), run); }
    SECTION("on device memory") { checkSameTextAlways(racing::globalTable(), run); }
}

DEVICE_TEST("Transposing a block in place races without a barrier unless it is one thread") {
    for (int width = 1; width <= 20; ++width) {
        INFO("width " << width);
        cusim::reset();
        racing::transposeInPlace(width, true);
        CHECK(cusim::findings().empty());
        racing::transposeInPlace(width, false);
        if (width == 1) {
            CHECK(cusim::findings().empty());
            continue;
        }
        const auto count = static_cast<unsigned>(width * width - width);
        checkRace(onlyFinding(), {"tile (shared)", "transpose-in", "transpose-out", count,
                                  writeRead("1,0,0", "0,1,0")});
    }
}

DEVICE_TEST("A missing second barrier is told apart from a missing first one") {
    CHECK(holds(remedyOf("barrier in a loop"), "behind line"));
    CHECK(holds(remedyOf("neighbour read"), "between the two lines"));
    run("barrier in a branch");
    REQUIRE(racesFound().size() == 1);
    CHECK(holds(racesFound()[0].remedy, "between the two lines"));
    run("next write");
    REQUIRE(racesFound().size() == 2);
    for (const cusim::Finding& finding : racesFound())
        CHECK(holds(finding.remedy, "between the two lines"));
}

DEVICE_TEST("A barrier that lacks between a loop's rounds is not mended by elements of one's own") {
    run("reduction");
    REQUIRE(cusim::findings().size() == 2);
    CHECK(holds(cusim::findings()[1].remedy, "In a loop, put a __syncthreads()"));
    CHECK(
        remedyOf("two threads write one element") ==
        "Give each thread an element of its own: is the index right? Where they mean one element, "
        "use an atomic.");
    CHECK(holds(remedyOf("blocks write"), "such as row * (number of columns) + column, and has"));
}

DEVICE_TEST("Two lines that write one place may need another index, or a barrier") {
    const std::string remedy = remedyOf("two lines write one element");
    CHECK(holds(remedy, "or where a tile in the array begins. Do they mean"));
    CHECK(holds(remedy, "between the two lines"));
    CHECK_FALSE(holds(remedyOf("neighbour read"), "mean one"));
}

DEVICE_TEST("Without the race check no race is reported") {
    for (const std::string name : {"two threads write one element", "blocks write"}) {
        cusim::options().races = false;
        run(name);
        CHECK(cusim::findings().empty());
        cusim::options().races = true;
        run(name);
        CHECK(cusim::findings().size() == 1);
    }
}
