#include "simulator/findings/finding.h"

#include "matrix/tests/helpers.h"
#include "testing/catch.h"

namespace {

cusim::Finding example() {
    cusim::Finding finding;
    finding.kind = "race";
    finding.title = "race on \"tile\"";
    finding.file = "no\\such.cu";
    finding.line = 14;
    finding.kernel = "transpose";
    finding.inThread = true;
    finding.thread = {1, 2, 3};
    finding.block = {4, 5, 6};
    finding.details = {"one\tline", "another"};
    finding.remedy = "Put a barrier there.";
    finding.count = 7;
    return finding;
}

}  // namespace

TEST_CASE("A finding as JSON holds all its parts, and escapes what JSON asks for") {
    CHECK(cusim::json(example()) ==
          "{\"kind\":\"race\",\"title\":\"race on \\\"tile\\\"\",\"file\":\"no\\\\such.cu\","
          "\"line\":14,\"count\":7,\"kernel\":\"transpose\",\"thread\":[1,2,3],"
          "\"block\":[4,5,6],\"details\":[\"one\\u0009line\",\"another\"],"
          "\"remedy\":\"Put a barrier there.\"}");
}

TEST_CASE("A finding's text begins with file and line and leaves room to indent it in 80 columns") {
    cusim::Finding finding = example();
    finding.details = {std::string(30, 'a') + " " + std::string(30, 'b') + " " +
                       std::string(30, 'c')};
    const std::string text = cusim::text(finding);
    CHECK(text.rfind("no\\such.cu:14: race on", 0) == 0);
    CHECK(text.find("thread (1,2,3) of block (4,5,6)") != std::string::npos);
    CHECK(text.find("Remedy: Put a barrier there.") != std::string::npos);
    CHECK(matrix_test::widestLine(text) <= 73);
}

TEST_CASE("A finding on a terminal is the same text with colours") {
    const std::string coloured = cusim::colouredText(example());
    std::string plain;
    bool sequence = false;
    for (const char c : coloured) {
        if (c == '\033') sequence = true;
        if (!sequence) plain += c;
        if (c == 'm') sequence = false;
    }
    CHECK(plain == cusim::text(example()));
    CHECK(coloured.rfind("\033[1mno\\such.cu:14:\033[0m", 0) == 0);
}
