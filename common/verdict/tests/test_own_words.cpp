// Tests that what a student's program says at run time tells nothing but its own words.
#include <cstdio>
#include <fstream>

#include "simulator/findings/own_files.h"
#include "testing/catch.h"
#include "verdict/record/own_words.h"
#include "verdict/record/report_format.h"

namespace {

// A student's file of two lines: only lines of this file may be shown.
class OwnFile {
  public:
    OwnFile() {
        std::ofstream(name) << "throw Wrong(\"the matrix is empty\");\nassert(Width  > 0);\n";
        cusim::showOnly({name});
    }
    ~OwnFile() {
        cusim::showOnly({});
        std::remove(name.c_str());
    }
    OwnFile(const OwnFile&) = delete;
    OwnFile& operator=(const OwnFile&) = delete;

    const std::string name = "build/own_words.cu";
};

cusim::Finding kept(const std::string& title, const cusim::Place& at) {
    cusim::Finding finding("assert", title, at);
    finding.source = "what the record says";
    testing::keepOwn(finding);
    return finding;
}

}  // namespace

TEST_CASE("an exception's text shows words of the file, of CUDA and of the library") {
    const OwnFile own;
    for (const char* text :
         {"the matrix is empty", "Hush: the matrix", "out of memory",
          "build/own_words.cu:12: invalid argument", "std::bad_alloc",
          "vector::_M_range_check: __n (which is 7) >= this->size() (which is 3)"})
        CHECK(testing::inOwnWords(text) == (text[0] == 'H' ? "... the matrix" : text));
}

TEST_CASE("other words of an exception's text are left out, and all after the first 120 letters") {
    const OwnFile own;
    CHECK(testing::inOwnWords("the int secret = 1; is hushed Wrong") ==
          "the ... = 1; is ... Wrong");
    CHECK(testing::inOwnWords("12345678") == "...");
    CHECK(testing::inOwnWords("rix") == "...");
    CHECK(testing::inOwnWords(std::string(10000, 'x')) == "...");
    std::string many;
    for (int i = 0; i < 100; ++i) many += "is ";
    CHECK(testing::inOwnWords(many).size() <= 120);
}

TEST_CASE("a finding shows its line as it stands in the student's file") {
    const OwnFile own;
    const cusim::Finding here = kept("assertion failed: Width > 0", {own.name, 2});
    CHECK(here.source == std::string("assert(Width  > 0);"));
    CHECK(here.title == "assertion failed: Width > 0");
    CHECK(kept("assertion failed: Width > 0", {"./" + own.name, 2}).line == 2);
}

TEST_CASE("a finding at another file's line shows neither the line nor the place") {
    const OwnFile own;
    const cusim::Finding there = kept("assertion failed: Width > 0", {"README.md", 1});
    CHECK(there.source == std::string());
    CHECK(there.file.empty());
    CHECK(there.line == 0);
}

TEST_CASE("an assertion that is not in the file is reported without its text") {
    const OwnFile own;
    CHECK(kept("assertion failed: hush", {own.name, 2}).title == "assertion failed");
}

TEST_CASE("where all files may be shown, a text stays as it is") {
    CHECK(testing::inOwnWords("anything") == "anything");
    CHECK(kept("assertion failed: x", {"kernel.cu", 7}).source ==
          std::string("what the record says"));
}
