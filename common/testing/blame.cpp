#include "testing/blame.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>

#include "testing/environment.h"
#include "testing/section_to_read.h"
#include "testing/todo_of_line.h"

namespace testing {

namespace {

// Kinds of findings whose line is the one to mend. Others are left out because the fault lies
// elsewhere: for unset memory the line that should set it is missing, for a leak the call of
// cudaFree, and a pointer of the wrong kind or a freed one comes from another line. What a kernel's
// assert, trap or exception says, its author knows.
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

// Tests whether the failed call stands on the line of the exit, as in CHECK, and not further up,
// where its result was ignored. A call that asks for shared memory never counts, because too large
// a size comes from the step that has chosen the tile.
bool endsAtItsCall(const std::string& call, int line) {
    std::ifstream in(fromEnvironment("LAB_KERNEL"));
    std::string text;
    for (int number = 0; number < line; ++number) std::getline(in, text);
    return !call.empty() && call != "cudaFuncSetAttribute" && text.find(call) != std::string::npos;
}

// Returns the TODO whose tiles the line takes a value from, besides another array; or nothing. A
// tile is an array whose reads and writes lab.toml lists.
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

bool isUnknown(const Failure& failure) {
    if (!failure.begin.empty() || failure.findings.empty() || failure.end.text.empty())
        return false;
    const Finding& finding = failure.findings.front();
    const std::string file = fromEnvironment("LAB_KERNEL");
    const auto hasComment = [&](const std::string& todo) { return lineOf(todo, file) > 0; };
    const std::vector<std::string> all = todosOfPart(), own = todosOfName(failure.test);
    const std::string step = sectionToRead({finding.kind});
    if (!own.empty() && step == sectionToRead({own.front()})) return false;
    // Tests of other steps leave races to those of the barriers, whose own step is meant. No
    // barrier mends an index by which several threads store one element.
    if (finding.kind == "race") return finding.others.empty() && !finding.access.empty();
    // What should have set the memory stands elsewhere, wherever the comments stand. In a part
    // where no access tells the step, each test runs the kernel of its own one.
    if (finding.kind == "unset-read")
        return isUnderTest(finding.at) && (own.empty() || !keysWith("blame ").empty());
    return isAtItsLine(finding.kind) && isUnderTest(finding.at) &&
           std::none_of(all.begin(), all.end(), hasComment);
}

std::string todoToBlame(const Failure& failure, const std::set<std::string>& passed) {
    if (failure.findings.empty()) return "";
    const std::string& kind = failure.findings.front().kind;
    const Finding finding = firstFinding(failure);
    const auto own = failure.ofNoStep ? std::vector<std::string>{} : todosOfName(failure.test);
    // What the code does tells more than the comments around it.
    std::string done = finding.access.empty() ? "" : sectionToRead({"blame " + finding.access});
    const bool outside = kind == "out-of-bounds" && finding.access.rfind("reads ", 0) == 0;
    if (const std::string products = outside ? todoOfTileRead(finding.at.line) : "";
        !products.empty() && !done.empty())
        done = products;
    if (!done.empty() && !passed.count(done)) return done;
    if (!isAtItsLine(kind) || ofNoTodo(failure)) return "";
    std::string todo;
    const std::vector<int> lines =
        finding.causedAt > 0 ? std::vector<int>{finding.causedAt} : linesOf(finding);
    // A race between two TODOs blames neither, since what is missing lies between them.
    for (const int line : lines) {
        if (kind == "early-exit" && !endsAtItsCall(finding.failedCall, line)) return "";
        const std::string here = todoOfLine(fromEnvironment("LAB_KERNEL"), line, todosOfPart());
        if (here.empty() || (!todo.empty() && here != todo)) return "";
        todo = here;
        if (kind != "race") break;
    }
    // The remedy may be a step of its own, for which the handout has a section: a guard or a loop
    // in pieces for an access outside of an array, a question for the error of a launch.
    const bool mayLackAStep = kind == "out-of-bounds" || kind == "unchecked-launch";
    const std::string step = mayLackAStep ? sectionToRead({kind}) : "";
    if (own.empty()) return step.empty() ? todo : "";
    if (!step.empty() && step == sectionToRead({own.front()})) return own.front();
    if (!step.empty() && kind == "unchecked-launch") return "";
    return passed.count(todo) ? own.front() : todo;
}

}  // namespace testing
