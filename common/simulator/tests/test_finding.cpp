// Tests what is reported of a finding, and of the loops around its line.
#include <regex>

#include "matrix/tests/helpers.h"
#include "simulator/findings/finding.h"
#include "simulator/findings/loops.h"
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

// Returns, for example, "2-5 3-4" for a loop from line 2 to 5 and one from 3 to 4.
std::string loopsIn(const std::string& text) {
    std::string found;
    for (const cusim::Loop& loop : cusim::loopsOf(text))
        found += (found.empty() ? "" : " ") + std::to_string(loop.first) + "-" +
                 std::to_string(loop.last);
    return found;
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
    CHECK(std::regex_replace(coloured, std::regex("\033[^m]*m"), "") == cusim::text(example()));
    CHECK(coloured.rfind("\033[1mno\\such.cu:14:\033[0m", 0) == 0);
}

TEST_CASE("A loop reaches from its keyword to the end of its body") {
    CHECK(loopsIn("int x;\nf(x);\n") == "");
    CHECK(loopsIn("for (int i = 0;\n i < 3; ++i) {\n f(i);\n}\nx = 1;") == "1-4");
    CHECK(loopsIn("while (f(a[i]))\n ++i;\ni = 0;") == "1-2");
    CHECK(loopsIn("do {\n ++i;\n} while (\n i < 3);\ni = 0;") == "1-4");
    CHECK(loopsIn("do\n while (i < 3)\n  ++i;\nwhile (j < 3);\n") == "1-4 2-3");
    CHECK(loopsIn("for (;;)\n if (a)\n  b;\n else {\n  c;\n }\nd;") == "1-6");
    CHECK(loopsIn("for (;;)\n for (;;)\n  x[{1}] = [] {\n   return;\n  }();\n") == "1-5 2-5");
    CHECK(loopsIn("while (1);\nf();") == "1-1");
}

TEST_CASE("Comments, texts and directives hold no loops, and a torn text ends the search") {
    CHECK(loopsIn("// for (;;)\n/* while (1) */ f(\"do\");\n#define LOOP for (;;)\n") == "");
    CHECK(loopsIn("void f() {\n for (;;) {\n") == "2-2");
    CHECK(loopsIn("for") == "1-1");
    std::string deep;
    for (int i = 0; i < 100000; ++i) deep += "if (1) ";
    CHECK(loopsIn("do " + deep + ";") == "1-1");
}

TEST_CASE("Of a file those loops are reported that hold all of some lines") {
    CHECK(cusim::loopsAround("/no/such/file", {1}).empty());
    const std::string file = "common/simulator/findings/loops.cpp";
    CHECK(cusim::loopsAround(file, {1}).empty());
}
