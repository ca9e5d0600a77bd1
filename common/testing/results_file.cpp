#include "testing/results_file.h"

#include <cstdio>
#include <iostream>
#include <set>
#include <vector>

#include "testing/environment.h"
#include "text/json.h"

namespace testing {
namespace {

bool lost = false;

const char* name(Status status) {
    return status == Status::Passed ? "passed" : status == Status::Failed ? "failed" : "left out";
}

void add(json::Object& object, const Place& place) {
    if (place.line > 0) object.add("file", place.file).add("line", place.line);
}

json::Object structureOf(const Finding& finding) {
    json::Object out;
    add(out.add("kind", finding.kind), finding.at);
    if (!finding.title.empty()) out.add("title", finding.title);
    std::vector<json::Object> others(finding.others.size());
    for (std::size_t i = 0; i < others.size(); ++i) add(others[i], finding.others[i]);
    if (!others.empty()) out.add("others", others);
    if (!finding.failedCall.empty()) out.add("failed_call", finding.failedCall);
    if (!finding.kernel.empty()) out.add("kernel", finding.kernel);
    if (finding.thread) out.add("thread", *finding.thread).add("block", *finding.block);
    if (!finding.details.empty()) out.add("details", finding.details);
    if (!finding.remedy.empty()) out.add("remedy", finding.remedy);
    return out;
}

void addStructure(json::Object& line, const Failure& test) {
    if (const std::string todo = beginningOf(test); !todo.empty()) line.add("todo", todo);
    add(line, placeToLook(test));
    constexpr std::size_t kMost = 20;  // one mistake can make a finding a launch
    std::vector<json::Object> found;
    for (const Finding& finding : test.findings)
        if (found.size() < kMost) found.push_back(structureOf(finding));
    line.add("found", found);
}

// Returns a text without colours and without the report's margin.
std::string plain(const std::string& text) {
    std::string out;
    bool lineStart = true;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (lineStart && text.compare(i, 7, "       ") == 0) i += 7;
        lineStart = false;
        if (i == text.size()) break;
        if (text[i] == '\033' && i + 1 < text.size() && text[i + 1] == '[') {
            i = text.find_first_of("mK", i);
            if (i == std::string::npos) break;
            continue;
        }
        out += text[i];
        lineStart = text[i] == '\n';
    }
    while (!out.empty() && out.back() == '\n') out.pop_back();
    return out;
}

}  // namespace

ResultsFile::ResultsFile(bool wanted) {
    if (!wanted) return;
    file_ = fromEnvironment("LAB_RESULTS");
    part_ = fromEnvironment("LAB_PART");
}

void ResultsFile::runBegan() {
    if (!file_.empty()) out_.open(file_ + ".new");
}

void ResultsFile::testEnded(const Failure& test, Status status, const std::string& explanation) {
    if (file_.empty()) return;
    ++counts_[static_cast<int>(status)];
    std::set<std::string> kinds;
    for (const Finding& finding : test.findings) kinds.insert(finding.kind);
    json::Object line;
    line.add("part", part_).add("test", test.test).add("status", name(status));
    line.add("findings", kinds);
    if (waitsForAnother(test)) line.add("begin", test.begin);
    line.add("explanation", plain(explanation));
    if (status == Status::Failed) addStructure(line, test);
    // Flushed, because the next test may end the program.
    out_ << line.text() << std::endl;
}

void ResultsFile::runEnded(bool complete) {
    if (file_.empty()) return;
    if (counts_[0] + counts_[1] + counts_[2] == 0) {
        std::remove((file_ + ".new").c_str());
        return;
    }
    if (complete)
        out_ << json::Object()
                    .add("end", true)
                    .add("passed", counts_[0])
                    .add("failed", counts_[1])
                    .add("left_out", counts_[2])
                    .text()
             << "\n";
    out_.close();
    if (!out_ || std::rename((file_ + ".new").c_str(), file_.c_str()) != 0) giveUp();
}

void ResultsFile::giveUp() {
    std::cerr << "LAB_RESULTS: " << file_
              << " cannot be written; choose another file, or check whether the disk is full\n";
    file_.clear();
    lost = true;
}

bool resultsLost() { return lost; }

}  // namespace testing
