// Tests with which TODO a report begins, and what it then says.
#include <cstdlib>
#include <filesystem>
#include <set>

#include "matrix/tests/helpers.h"
#include "testing/blame.h"
#include "testing/catch.h"
#include "testing/failure.h"
#include "testing/lab.h"
#include "testing/todo_of_line.h"

namespace {

namespace fs = std::filesystem;
using matrix_test::contains;
using testing::blameOf;
using testing::Failure;
using testing::Finding;
using testing::todoOfLine;

const std::vector<std::string> kAll = {"TODO(1)", "TODO(2)", "TODO(3)", "TODO(4)"};

const char* const kFile =
    "// The handout tells of TODO(4), too.\n"
    "static int helper() { return '}'; }\n"
    "__global__ void kernel(float* P) {\n"
    "    // TODO(1): the index. }\n"
    "    int i = threadIdx.x;\n"
    "    /* { */ if (i < 1) {\n"
    "        // TODO(2): the store.\n"
    "        P[i] = '{';\n"
    "    }\n"
    "}\n"
    "void host() {\n"
    "    int n = 1'000;\n"
    "    // TODO(3): launch,\n"
    "    // and ask. See TODO(1).\n"
    "    kernel<<<1, n>>>(nullptr);\n"
    "    // TODO(4): free.\n"
    "    free(nullptr);\n"
    "}\n";

// Makes a lab in a folder that is gone afterwards; its file is the one under test.
class Lab {
  public:
    explicit Lab(const std::string& file, const std::string& rules = "") {
        folder_.file("lab/kernel.cu", file);
        fs::current_path(folder_.path());
        const std::string own =
            "out-of-bounds: lab/README.md, section 'Steps', step 1\n"
            "leak: lab/README.md, section 'Steps', step 9\n"
            "TODO(1): lab/README.md, section 'Steps', step 1\n"
            "TODO(2): lab/README.md, section 'Steps', step 2\n"
            "TODO(3): lab/README.md, section 'Steps', step 3\n"
            "TODO(4): lab/README.md, section 'Steps', step 4\n"
            "*: lab/README.md, section 'Goal'\n";
        setenv("LAB_SECTIONS", (rules + own).c_str(), 1);
        setenv("LAB_KERNEL", "lab/kernel.cu", 1);
    }
    Lab(const Lab&) = delete;
    Lab& operator=(const Lab&) = delete;
    ~Lab() {
        fs::current_path(before_);
        unsetenv("LAB_KERNEL");
        unsetenv("LAB_SECTIONS");
    }

  private:
    const matrix_test::Folder folder_;
    const fs::path before_ = fs::current_path();
};

std::string without(std::string text, const std::string& piece) {
    return text.erase(text.find(piece), piece.size());
}

Finding at(int line, const std::vector<int>& others = {}) {
    Finding finding;
    finding.at = {"lab/kernel.cu", line};
    for (const int other : others) finding.others.push_back({"lab/kernel.cu", other});
    return finding;
}

Finding exitAt(int line, const std::string& failedCall) {
    Finding finding = at(line);
    finding.failedCall = failedCall;
    return finding;
}

Failure failed(const std::string& test, const std::string& kind, Finding finding) {
    Failure failure;
    failure.test = test;
    failure.explanation = "Width 4\n";
    failure.end = {testing::Todo(1),
                   "lab/kernel.cu:" + std::to_string(finding.at.line) + ": wrong\n"};
    finding.kind = kind;
    failure.findings = {finding, at(17)};
    return failure;
}

// Returns the TODO that is to blame for this finding of this test.
std::string blamed(const std::string& test, const std::string& kind, const Finding& finding,
                   const std::set<std::string>& passed = {}) {
    return blameOf(failed(test, kind, finding), passed).todo;
}

}  // namespace

TEST_CASE("a line belongs to the nearest TODO above it in its function") {
    const Lab lab(kFile);
    const auto todoOf = [](int line) { return todoOfLine("lab/kernel.cu", line, kAll); };
    CHECK(todoOf(2).empty());
    CHECK(todoOf(3).empty());
    CHECK(todoOf(5) == "TODO(1)");
    CHECK(todoOf(8) == "TODO(2)");
    CHECK(todoOf(10) == "TODO(2)");
    CHECK(todoOf(12).empty());
    CHECK(todoOf(15) == "TODO(3)");
    CHECK(todoOf(17) == "TODO(4)");
}

TEST_CASE("a line belongs to no TODO that is known where a comment between may be gone") {
    const Lab lab(
        without(without(kFile, "        // TODO(2): the store.\n"), "    // TODO(4): free.\n"));
    CHECK(todoOfLine("lab/kernel.cu", 7, kAll).empty());   // of TODO(2)
    CHECK(todoOfLine("lab/kernel.cu", 15, kAll).empty());  // of TODO(4)
    CHECK(todoOfLine("lab/kernel.cu", 7, {"TODO(1)", "TODO(3)"}) == "TODO(1)");
}

TEST_CASE("a finding that ends a run is blamed on the TODO of its line") {
    const Lab lab(kFile);
    CHECK(blamed("TODO(3): a", "double-free", at(17)) == "TODO(4)");
    CHECK(blamed("TODO(3): a", "unchecked-launch", at(17)) == "TODO(4)");
    CHECK(blamed("the product", "double-free", at(17)) == "TODO(4)");
    CHECK(blamed("TODO(4): a", "double-free", at(17)) == "TODO(4)");
    CHECK(blamed("TODO(3): a", "double-free", at(2)).empty());
    // The line that gives an index its wrong value counts, not the one of the access.
    Finding caused = at(8);
    CHECK(blamed("TODO(3): a", "out-of-bounds", caused) == "TODO(2)");
    caused.causedAt = 5;
    CHECK(blamed("TODO(3): a", "out-of-bounds", caused) == "TODO(1)");
}

TEST_CASE("a test says that its own step is not to blame; the line of a finding may name another") {
    const Lab lab(kFile);
    Failure failure = failed("TODO(3): a", "wrong", {});
    CHECK(beginningOf(failure) == "TODO(3)");
    CHECK(contains(inFull(failure), "TODO(1): the run ends with"));
    failure.ofNoStep = true;
    CHECK(beginningOf(failure).empty());
    CHECK(contains(inFull(failure), "The run ends with"));
    CHECK(contains(inFull(failure), "section 'Goal'"));
    CHECK_FALSE(contains(inFull(failure), "step 3"));
    failure = failed("TODO(3): a", "unchecked-launch", at(2));
    failure.ofNoStep = true;
    CHECK(blameOf(failure, {}).todo.empty());
    failure = failed("TODO(3): a", "unchecked-launch", at(17));
    failure.ofNoStep = true;
    CHECK(blameOf(failure, {}).todo == "TODO(4)");
}

TEST_CASE("each call that is refused, and each launch without an error check, is its line's") {
    const Lab lab(kFile);
    for (const char* kind : {"invalid-pitch", "invalid-symbol", "wild-copy", "wrong-direction",
                             "invalid-launch", "unchecked-launch", "unsupported"}) {
        INFO(kind);
        CHECK(blamed("TODO(1): a", kind, at(15)) == "TODO(3)");
        CHECK(blamed("the product", kind, at(15)) == "TODO(3)");
    }
}

TEST_CASE("a launch without an error check is not blamed on its line if checking is a step") {
    const Lab lab(kFile, "unchecked-launch: lab/README.md, section 'Steps', step 4\n");
    CHECK(blamed("the product", "unchecked-launch", at(15)) == "TODO(4)");
    CHECK(blamed("TODO(1): a", "unchecked-launch", at(15)).empty());
    CHECK(blamed("TODO(4): a", "unchecked-launch", at(15)) == "TODO(4)");
}

TEST_CASE("an exit is blamed on the line of the call that had failed, where it stands there") {
    const Lab lab(kFile);
    CHECK(blamed("TODO(1): a", "early-exit", exitAt(17, "free")) == "TODO(4)");
    // The exit is further down than the call.
    CHECK(blamed("TODO(1): a", "early-exit", exitAt(15, "free")).empty());
    Failure silent = failed("TODO(1): a", "early-exit", exitAt(0, ""));
    silent.findings.resize(1);
    CHECK(blameOf(silent, {}).todo.empty());
}

TEST_CASE("a size of shared memory that is refused is not blamed on the line that asks for it") {
    const Lab lab("void host() {\n    // TODO(4): ask.\n    cudaFuncSetAttribute(f, a, n);\n}\n");
    CHECK(blamed("the product", "early-exit", exitAt(3, "cudaFuncSetAttribute")).empty());
}

TEST_CASE("memory that is not freed is not blamed on the line that allocates it") {
    const Lab lab(kFile);
    CHECK(blamed("TODO(3): a", "leak", at(15)).empty());
}

TEST_CASE("a line that takes a value from a tile belongs to the TODO of the products") {
    const std::string rules =
        "blame reads M: TODO(2)\nblame writes Mds: TODO(2)\nblame reads Nds: TODO(4)\n"
        "blame writes Nds: TODO(3)\n";
    Finding finding = at(2);
    finding.access = "reads M";
    for (const auto& [line, todo] :
         {std::pair{"sum += M[i] * Nds[k];", "TODO(4)"}, std::pair{"Nds[k] = M[i];", "TODO(2)"},
          std::pair{"sum += M[i] * myNds[k];", "TODO(2)"}}) {
        const Lab lab(std::string("int i;\n") + line + "\n", rules);
        CHECK(blamed("TODO(3): a", "out-of-bounds", finding) == todo);
    }
}

TEST_CASE("a TODO whose tests have passed is not blamed for what another one's test meets") {
    const Lab lab(kFile);
    CHECK(blamed("TODO(3): a", "out-of-bounds", at(8)) == "TODO(2)");
    CHECK(blamed("TODO(3): a", "out-of-bounds", at(8), {"TODO(1)", "TODO(2)"}) == "TODO(3)");
}

TEST_CASE("an access outside of an array that the guard's own test meets is the guard's") {
    const Lab lab(kFile);
    CHECK(blamed("TODO(1): a", "out-of-bounds", at(8)) == "TODO(1)");
}

TEST_CASE("while nothing is stored, a report begins with the first TODO without code") {
    const std::string file =
        "__global__ void kernel() {\n    // TODO(1): the index.\n    for (;;) {\n  i = 0;\n}\n"
        "    // TODO(2): a guard\n    // around i.\n\n    for (;;) {\n  // TODO(3): the store.\n}\n"
        "}\n"
        "void host() {\n    // TODO(4): free.\n}\n";
    {
        const Lab lab(file);
        CHECK(blamed("TODO(1): a", "never-written", {}) == "TODO(2)");
        CHECK(blamed("TODO(3): a", "never-written", {}) == "TODO(3)");
        CHECK(blamed("the product", "never-written", {}).empty());
    }
    const Lab whole(kFile);
    CHECK(blamed("TODO(1): a", "never-written", {}).empty());
}

TEST_CASE("a test of the whole part begins with the step that explains its finding") {
    const Lab lab(kFile);
    CHECK(blamed("the product", "out-of-bounds", at(8)) == "TODO(1)");
    CHECK(blameOf(failed("the product", "out-of-bounds", at(8)), {}).rule ==
          "lab.toml's section on out-of-bounds");
    Finding caused = at(8);
    caused.causedAt = 15;
    CHECK(blamed("the product", "out-of-bounds", caused) == "TODO(3)");
}

TEST_CASE("a race is blamed where both of its lines belong to one TODO") {
    const Lab lab(kFile);
    CHECK(blamed("TODO(3): a", "race", at(8, {9})) == "TODO(2)");
    CHECK(blamed("TODO(3): a", "race", at(8, {5})).empty());
}

TEST_CASE("the first rule that answers is named with the TODO that it blames") {
    const Lab lab(kFile, "blame reads N: TODO(4)\n");
    const auto rule = [](const std::string& kind, Finding finding, const std::string& access) {
        finding.access = access;
        return blameOf(failed("TODO(3): a", kind, finding), {"TODO(1)"}).rule;
    };
    CHECK(rule("race", at(8, {9}), "") == "the comment above the line");
    CHECK(rule("race", at(8, {5}), "") == "the lines are of no TODO, or of two");
    CHECK(rule("race", at(8, {5}), "reads N") == "lab.toml lists \"reads N\"");
    CHECK(rule("race", at(5), "") == "the tests of the line's TODO have passed");
    CHECK(rule("leak", at(8), "") == "the fault is not at the finding's line");
}

TEST_CASE(
    "a barrier in a branch is blamed on no TODO where a section beside the steps tells of it") {
    const Lab lab(kFile);
    Failure failure = failed("TODO(3): a", "barrier-divergence", at(8));
    failure.explanation.clear();
    CHECK(blameOf(failure, {}).todo == "TODO(2)");
    const Lab another(kFile, "barrier-divergence: lab/README.md, section 'Barriers'\n");
    CHECK(blameOf(failure, {}).todo.empty());
    CHECK(contains(testing::onAScreen(failure), "The run ends with\n       lab/kernel.cu:8:"));
}

TEST_CASE("a report begins with the TODO that the line belongs to, and tells to read its step") {
    const Lab lab(kFile);
    Failure failure = failed("TODO(3): a", "double-free", at(17));
    failure.begin = blameOf(failure, {}).todo;
    failure.beginsAtLine = true;
    CHECK(testing::waitsForAnother(failure));
    const std::string text = testing::onAScreen(failure);
    CHECK(contains(
        text, "Width 4\n       The run ends at line 17, which belongs to TODO(4): begin there."));
    CHECK(!contains(text, "the run ends with"));
    CHECK(contains(text, "where: lab/kernel.cu:16, at TODO(4)"));
    CHECK(contains(text, "read: lab/README.md, section 'Steps', step 4"));
    CHECK(testing::inShort(failure) == "TODO(3): a [see TODO(4), line 17]");
}

TEST_CASE("a report begins as ever where the line belongs to the test's own TODO") {
    const Lab lab(kFile);
    Failure failure = failed("TODO(4): a", "double-free", at(17));
    failure.begin = blameOf(failure, {}).todo;
    CHECK(!testing::waitsForAnother(failure));
    const std::string text = testing::onAScreen(failure);
    CHECK(contains(text, "TODO(1): the run ends with"));
    CHECK(!contains(text, "where:"));
    CHECK(contains(text, "step 4"));
    CHECK(testing::inShort(failure) == "TODO(4): a [double free, line 17]");
}

TEST_CASE("a report says of a test that waits for another TODO which one that is") {
    const Lab lab(kFile);
    Failure failure = failed("TODO(2): a", "out-of-bounds", at(8));
    failure.begin = "TODO(3)";
    CHECK(contains(testing::onAScreen(failure),
                   "This test waits for TODO(3): begin there.\n       The run ends with\n"));
    failure.end = {};
    failure.explanation = "nothing is stored\n";
    CHECK(contains(testing::onAScreen(failure), "This test waits for TODO(3): begin there.\n"));
    failure.explanation = "TODO(2): this can be judged when TODO(3) is done.\n";
    failure.named = {"TODO(2)", "TODO(3)"};
    CHECK(!contains(testing::onAScreen(failure), "waits"));
    CHECK(contains(testing::onAScreen(failure), "step 3"));
}

TEST_CASE("a text tells the TODOs that its values name, also those of texts in it") {
    const lab::Text later = lab::filled("{} is {}.", "The store", Todo(7));
    const lab::Text text = lab::filled("{}: {} of {} {}\n{}", Todo(5), 1, 'n', "{}", later);
    CHECK(text.words == "TODO(5): 1 of n {}\nThe store is TODO(7).");
    CHECK(text.todos == std::vector<std::string>{"TODO(5)", "TODO(7)"});
}

TEST_CASE("a report in a line shows each TODO that sentence and run name, but the test's own") {
    Failure failure;
    failure.test = "TODO(1) and TODO(2): a";
    failure.named = {"TODO(1)", "TODO(4)", "TODO(3)"};
    failure.end.run = lab::filled("{}, Width 4", Todo(4));
    CHECK(testing::inShort(failure) == "TODO(1) and TODO(2): a [see TODO(4), TODO(3)]");
}

TEST_CASE("a report on a question shows where its answer stands") {
    const Lab lab(
        "// Q12. Q1_a is far. How many?\nconstexpr Answer Q12_many = UNANSWERED;\n// Q1. Why?\n"
        "// So.\nconstexpr Answer Q1_a = 3;  // Q1_b\nconstexpr Answer Q1_b = UNANSWERED;\n");
    Failure failure;
    failure.test = "Q1: the reason";
    failure.explanation = "Q1: this number is not right.\n";
    CHECK(contains(testing::onAScreen(failure), "where: lab/kernel.cu:5, at Q1\n"));
    failure.explanation = "Q1 is not answered yet. In answers.h, replace\nUNANSWERED after Q1_b.";
    CHECK(contains(testing::onAScreen(failure), "where: lab/kernel.cu:6, at Q1\n"));
}

TEST_CASE("the lines of a race tell whether an earlier test has met the same one") {
    const Lab lab(kFile);
    const auto race = [](const std::string& kind) {
        return failed("TODO(3): a", kind, at(8, {9}));
    };
    CHECK(testing::linesOfRace(race("race")) == "8 9 ");
    CHECK(testing::linesOfRace(race("leak")).empty());
}

TEST_CASE("a line on which several threads store one element is not blamed on a step of barriers") {
    const Lab lab(kFile);
    Finding stores = at(1);
    CHECK_FALSE(testing::isUnknown(failed("TODO(2): a", "race", stores)));
    stores.access = "writes tile";
    const Failure failure = failed("TODO(2): a", "race", stores);
    CHECK(testing::isUnknown(failure));
    CHECK(contains(inFull(failure), "The run ends with\n"));
    stores.others = {{"lab/kernel.cu", 2}};
    CHECK_FALSE(testing::isUnknown(failed("TODO(2): a", "race", stores)));
}

TEST_CASE("an access belongs to the TODO that its array and direction tell", "[blame]") {
    const std::string rules = "blame reads M: TODO(3)\nblame writes P: TODO(4)\n";
    for (const std::string& file : {std::string(kFile), std::string("kernel\n")}) {
        const Lab lab(file, rules);
        Finding finding = at(5);
        finding.access = "reads M";
        CHECK(blamed("TODO(2): a", "out-of-bounds", finding) == "TODO(3)");
        CHECK(blamed("the product", "out-of-bounds", finding) == "TODO(3)");
        CHECK(blamed("TODO(2): a", "out-of-bounds", finding, {"TODO(3)"}) != "TODO(3)");
        finding.access = "reads Q";
        CHECK(blamed("TODO(3): a", "out-of-bounds", finding) ==
              (file == "kernel\n" ? "" : "TODO(1)"));
    }
}

TEST_CASE("a run that ends in a file without comments is blamed on no TODO", "[blame]") {
    const Failure failure = failed("TODO(2): a", "double-free", at(1));
    {
        const Lab lab("kernel\n");
        CHECK(testing::isUnknown(failure));
        CHECK(contains(inFull(failure), "The run ends with\n"));
        CHECK_FALSE(contains(inFull(failure), "TODO(1)"));
        CHECK_FALSE(contains(inFull(failure), "step 2"));
        // The kind's own section is that of the test's step.
        CHECK_FALSE(testing::isUnknown(failed("TODO(1): a", "out-of-bounds", at(1))));
    }
    const Lab lab(kFile);
    CHECK_FALSE(testing::isUnknown(failure));
}
