#include "testing/blame.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <optional>
#include <sstream>
#include <utility>

#include "testing/environment.h"
#include "testing/section_to_read.h"
#include "testing/todo_of_line.h"

namespace testing {

namespace {

// Kinds of findings whose line is the one to fix. For others the cause is elsewhere: for unset
// memory the line that should set it is missing, for a leak the call of cudaFree, and a pointer of
// the wrong kind or a freed one comes from another line. A kernel's own assert, trap or exception
// needs no explanation.
const char* const kAtTheirLine[] = {
    "barrier-divergence",
    "constant-write",
    "division-by-zero",
    "double-free",
    "early-exit",
    "endless-host",
    "endless-kernel",
    "host-crash",
    "host-function",
    "host-touches-device",
    "illegal-address",
    "invalid-free",
    "invalid-launch",
    "invalid-pitch",
    "invalid-symbol",
    "misaligned",
    "missing-wait",
    "out-of-bounds",
    "race",
    "shared-overlap",
    "stack-overflow",
    "stream-race",
    "unchecked-launch",
    "unsupported",
    "warp-arguments",
    "warp-mask",
    "wild-copy",
    "wrong-direction",
};

bool isAtItsLine(const std::string& kind) {
    return std::find(std::begin(kAtTheirLine), std::end(kAtTheirLine), kind) !=
           std::end(kAtTheirLine);
}

bool isUnderTest(const Place& place) {
    return place.line > 0 && place.file == fromEnvironment("LAB_KERNEL");
}

// Returns the lines of the file under test that a finding is about, its own first.
std::vector<int> linesOf(const Finding& finding) {
    std::vector<int> lines;
    if (isUnderTest(finding.at)) lines.push_back(finding.at.line);
    for (const Place& other : finding.others)
        if (isUnderTest(other)) lines.push_back(other.line);
    return lines;
}

// Returns the first finding with a line of the file under test, or an empty one.
Finding firstFinding(const Failure& failure) {
    for (const Finding& finding : failure.findings)
        if (isUnderTest(finding.at)) return finding;
    return {};
}

bool beginsWith(const Failure& failure, const std::string& kind) {
    return !failure.findings.empty() && failure.findings.front().kind == kind;
}

// Tests whether the failed call is on the line of the exit, as in CHECK, and not further up with
// its result ignored. A call that requests shared memory never counts, because too large a size
// comes from the step that has chosen the tile.
bool endsAtItsCall(const std::string& call, int line) {
    std::ifstream in(fromEnvironment("LAB_KERNEL"));
    std::string text;
    for (int number = 0; number < line; ++number) std::getline(in, text);
    return !call.empty() && call != "cudaFuncSetAttribute" && text.find(call) != std::string::npos;
}

// Returns the TODO of the tiles from which the line reads a value, besides another array; or
// nothing. A tile is an array whose reads and writes lab.toml lists.
std::string todoOfTileRead(int line) {
    std::ifstream in(fromEnvironment("LAB_KERNEL"));
    std::string text;
    for (int number = 0; number < line; ++number) std::getline(in, text);
    const std::string value = text.substr(std::min(text.find('='), text.size()));
    const auto inName = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
    const std::string reads = "blame reads ";
    for (const std::string& key : keysWith(reads)) {
        const std::string name = key.substr(reads.size());
        const std::size_t at = value.find(name), end = at + name.size();
        if (at == std::string::npos || inName(value[at - 1]) ||
            (end < value.size() && inName(value[end])))
            continue;
        if (!sectionToRead({"blame writes " + name}).empty()) return sectionToRead({key});
    }
    return "";
}

}  // namespace

std::vector<std::string> todosOfName(const std::string& test) {
    std::vector<std::string> todos;
    if (test.rfind("TODO(", 0) != 0) return todos;
    const std::string own = test.substr(0, test.find(": "));
    for (std::size_t at = 0; at != std::string::npos; at = own.find("TODO(", at + 1))
        todos.push_back(own.substr(at, own.find(')', at) - at + 1));
    return todos;
}

int lineNamed(const Failure& failure) {
    for (const Finding& finding : failure.findings)
        if (const std::vector<int> lines = linesOf(finding); !lines.empty()) return lines.front();
    return 0;
}

std::string linesOfRace(const Failure& failure) {
    if (!beginsWith(failure, "race")) return "";
    std::string lines;
    for (const int line : linesOf(firstFinding(failure))) lines += std::to_string(line) + " ";
    return lines;
}

bool ofNoTodo(const Failure& failure) {
    if (!beginsWith(failure, "barrier-divergence")) return false;
    const std::string section = sectionToRead({"barrier-divergence"});
    for (const std::string& todo : todosOfPart())
        if (sectionToRead({todo}).rfind(section, 0) == 0) return false;
    return !section.empty();
}

namespace {

// The facts that the rules need, computed once per failure.
struct Case {
    Case(const Failure& failed, const std::set<std::string>& passedTodos)
        : failure(failed), passed(passedTodos) {
        if (failure.findings.empty()) return;
        kind = failure.findings.front().kind;
        finding = firstFinding(failure);
        if (!failure.ofNoStep) own = todosOfName(failure.test);
        if (!finding.access.empty()) ofAccess = sectionToRead({"blame " + finding.access});
        const bool outside = kind == "out-of-bounds" && finding.access.rfind("reads ", 0) == 0;
        if (outside && !ofAccess.empty()) ofTile = todoOfTileRead(finding.at.line);
        // The remedy may be a step of its own, for which the handout has a section: a guard or a
        // loop in pieces for an access outside of an array, a question for the error of a launch.
        if ((kind == "out-of-bounds" && finding.causedAt == 0) || kind == "unchecked-launch")
            step = sectionToRead({kind});
        lines = finding.causedAt > 0 ? std::vector<int>{finding.causedAt} : linesOf(finding);
        if (isAtItsLine(kind)) ofLines = todoOfLines();
    }

    // Returns the TODO of the finding's lines, if all belong to one.
    std::string todoOfLines() const {
        std::string todo;
        for (const int line : lines) {
            const std::string here = todoOfLine(fromEnvironment("LAB_KERNEL"), line, todosOfPart());
            if (here.empty() || (!todo.empty() && here != todo)) return "";
            todo = here;
            if (kind != "race") break;
        }
        return todo;
    }

    const Failure& failure;
    const std::set<std::string>& passed;
    std::string kind;                   // of the first finding
    Finding finding;                    // the first with a line of the file under test
    std::vector<std::string> own = {};  // the TODOs of the test's name
    std::string ofAccess = {};          // the TODO that lab.toml lists for the finding's access
    std::string ofTile = {};            // that of the tile whose value the line uses, instead
    std::string step = {};              // the section of the handout for the remedy
    std::vector<int> lines = {};        // those that the finding is about, its own first
    std::string ofLines = {};           // their TODO
};

using Answer = std::optional<std::string>;  // the TODO, or "": none is the cause

Answer noFinding(const Case& one) {
    return one.failure.findings.empty() ? Answer("") : std::nullopt;
}

// The access is better evidence than the comments around it.
Answer accessOf(const Case& one, const std::string& todo) {
    return todo.empty() || one.passed.count(todo) ? std::nullopt : Answer(todo);
}
Answer readOfTile(const Case& one) { return accessOf(one, one.ofTile); }
Answer listedAccess(const Case& one) {
    return one.ofTile.empty() ? accessOf(one, one.ofAccess) : std::nullopt;
}

// While nothing is stored, no test can judge the steps that are written.
Answer firstUnwrittenTodo(const Case& one) {
    if (one.kind != "never-written" || one.own.empty()) return std::nullopt;
    const std::string todo = firstWithoutCode(fromEnvironment("LAB_KERNEL"), one.own.front());
    return todo.empty() ? std::nullopt : Answer(todo);
}

Answer faultElsewhere(const Case& one) { return isAtItsLine(one.kind) ? std::nullopt : Answer(""); }

Answer barrierOutsideOfSteps(const Case& one) {
    return ofNoTodo(one.failure) ? Answer("") : std::nullopt;
}

Answer exitAwayFromItsCall(const Case& one) {
    const bool isExit = one.kind == "early-exit" && !one.lines.empty();
    if (!isExit || endsAtItsCall(one.finding.failedCall, one.lines.front())) return std::nullopt;
    return "";
}

// A race between two TODOs blames neither, because the missing barrier is between them.
Answer linesOfNoTodoOrOfTwo(const Case& one) {
    return !one.lines.empty() && one.ofLines.empty() ? Answer("") : std::nullopt;
}

Answer stepOfTheRemedy(const Case& one) {
    if (one.step.empty()) return std::nullopt;
    if (one.own.empty()) return "";
    if (one.step == sectionToRead({one.own.front()})) return one.own.front();
    return one.kind == "unchecked-launch" ? Answer("") : std::nullopt;
}

// A TODO whose tests have passed is not to blame for a failure in a test of another one.
Answer passedTodo(const Case& one) {
    if (one.own.empty() || !one.passed.count(one.ofLines)) return std::nullopt;
    return one.own.front();
}

Answer todoOfTheLine(const Case& one) { return one.ofLines; }

// If no rule finds a TODO for a test of the whole part, read the handout's section about the
// finding. It may be the step of a TODO.
std::string todoToRead(const Case& one) {
    return one.own.empty() ? todoOfSection(sectionToRead({one.kind})) : "";
}

// The first rule with an answer decides.
const struct {
    const char* name;
    Answer (*answer)(const Case&);
} kRules[] = {
    {"there is no finding", noFinding},
    {"a value of a tile is read in the line", readOfTile},
    {"lab.toml lists the access", listedAccess},
    {"nothing is stored, and the TODO has no code", firstUnwrittenTodo},
    {"the fault is not at the finding's line", faultElsewhere},
    {"the handout explains barriers outside of its steps", barrierOutsideOfSteps},
    {"the program ends away from the failed call", exitAwayFromItsCall},
    {"the lines are of no TODO, or of two", linesOfNoTodoOrOfTwo},
    {"the remedy is a step of its own", stepOfTheRemedy},
    {"the tests of the line's TODO have passed", passedTodo},
    {"the comment above the line", todoOfTheLine},
};

}  // namespace

Blame blameOf(const Failure& failure, const std::set<std::string>& passed) {
    const Case one(failure, passed);
    for (const auto& rule : kRules) {
        const Answer todo = rule.answer(one);
        if (!todo) continue;
        const std::string toRead = todo->empty() ? todoToRead(one) : "";
        if (!toRead.empty()) return {toRead, "lab.toml's section on " + one.kind};
        if (rule.answer == listedAccess)
            return {*todo, "lab.toml lists \"" + one.finding.access + "\""};
        return {*todo, rule.name};
    }
    return {};
}

bool isUnknown(const Failure& failure) {
    if (!failure.begin.empty() || failure.findings.empty() || failure.end.text.empty())
        return false;
    const Finding& finding = failure.findings.front();
    const std::string file = fromEnvironment("LAB_KERNEL");
    const auto hasComment = [&](const std::string& todo) { return lineOf(todo, file) > 0; };
    const std::vector<std::string> all = todosOfPart(), own = todosOfName(failure.test);
    const std::string step = sectionToRead({finding.kind});
    if (!own.empty() && step == sectionToRead({own.front()})) return false;
    // Tests of other steps leave races to the tests of the barriers, whose own step is meant. No
    // barrier fixes an index by which several threads store one element.
    if (finding.kind == "race") return finding.others.empty() && !finding.access.empty();
    // The line that should have set the memory is elsewhere, wherever the comments are. In a part
    // without accesses listed per step, each test runs the kernel of its own step.
    if (finding.kind == "unset-read")
        return isUnderTest(finding.at) && (own.empty() || !keysWith("blame ").empty());
    return isAtItsLine(finding.kind) && isUnderTest(finding.at) &&
           std::none_of(all.begin(), all.end(), hasComment);
}

}  // namespace testing
