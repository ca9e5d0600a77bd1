#include "harness/command_line.h"
#include "matrix/tests/helpers.h"
#include "testing/catch.h"

using harness::CommandLine;
using harness::parseCommandLine;

namespace {

std::string refusalOf(const std::vector<std::string>& arguments) {
    return matrix_test::inputErrorOf([&] { parseCommandLine(arguments); });
}

bool refusedWith(const std::vector<std::string>& arguments, const std::string& part) {
    const std::string sentence = refusalOf(arguments);
    CAPTURE(sentence, part);
    return sentence.find(part) != std::string::npos && sentence.find(';') != std::string::npos;
}

}  // namespace

TEST_CASE("without arguments no option is set") {
    const CommandLine line = parseCommandLine({});
    CHECK_FALSE(line.help);
    CHECK_FALSE(line.table);
    CHECK_FALSE(line.namesSets());
}

TEST_CASE("libwb's command line is read as libwb reads it") {
    const CommandLine line = parseCommandLine(
        {"-e", "output.raw", "-i", "input0.raw,input1.raw", "-o", "mine.raw", "-t", "matrix"});
    CHECK(line.inputM == "input0.raw");
    CHECK(line.inputN == "input1.raw");
    CHECK(line.expected == "output.raw");
    CHECK(line.output == "mine.raw");
    CHECK(line.namesSets());
}

TEST_CASE("folders may be given several times, and keep their order") {
    const CommandLine line =
        parseCommandLine({"--set", "b", "--sets", "all", "--set", "a", "--table"});
    CHECK(line.folders == std::vector<std::string>{"b", "a"});
    CHECK(line.parents == std::vector<std::string>{"all"});
    CHECK(line.table);
}

TEST_CASE("the types of other labs are refused, matrix and vector are taken") {
    CHECK(refusalOf({"-t", "vector"}).empty());
    CHECK(refusalOf({"-t", "matrix"}).empty());
    CHECK(refusedWith({"-t", "image"}, "-t image"));
}

TEST_CASE("an unknown word is refused with a hint at --help") {
    CHECK(refusedWith({"--tabel"}, "'--tabel' is not an option"));
    CHECK(refusedWith({"M.raw"}, "--help"));
}

TEST_CASE("an option without its value is refused") {
    for (const char* option : {"-i", "-e", "-o", "-t", "--set", "--sets"}) {
        CHECK(refusedWith({option}, std::string(option) + " needs a value"));
        CHECK(refusedWith({option, ""}, std::string(option) + " needs a value"));
    }
}

TEST_CASE("-i takes two files, no fewer and no more") {
    for (const char* files : {"M.raw", "M.raw,", ",N.raw", "M.raw,N.raw,O.raw", ","})
        CHECK(refusedWith({"-i", files}, "-i takes two files"));
}

TEST_CASE("the same option twice is refused") {
    CHECK(refusedWith({"-i", "a,b", "-i", "c,d"}, "-i is given twice"));
    CHECK(refusedWith({"-i", "a,b", "-e", "c", "-e", "d"}, "-e is given twice"));
}

TEST_CASE("-e and -o need -i") {
    CHECK(refusedWith({"-e", "output.raw"}, "-e needs the inputs"));
    CHECK(refusedWith({"--set", "a", "-o", "mine.raw"}, "-o needs the inputs"));
}

TEST_CASE("-i and folders exclude each other") {
    CHECK(refusedWith({"-i", "a,b", "--set", "c"}, "exclude each other"));
    CHECK(refusedWith({"-i", "a,b", "--sets", "c"}, "exclude each other"));
}

TEST_CASE("--help names every option, in lines of 80 columns at most") {
    const std::string help = harness::helpText();
    for (const char* option :
         {"-i", "-e", "-o", "-t", "--set ", "--sets ", "--table", "--brief", "--help"})
        CHECK(help.find(option) != std::string::npos);
    CHECK(matrix_test::widestLine(help) <= 80);
    CHECK(parseCommandLine({"--help", "-e", "x"}).help);
}
