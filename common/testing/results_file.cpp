#include "testing/results_file.h"

#include <cstdio>
#include <cstdlib>
#include <iostream>

namespace testing {
namespace {

bool lost = false;

const char* name(Status status) {
    return status == Status::Passed ? "passed" : status == Status::Failed ? "failed" : "left out";
}

// How many bytes the UTF-8 character at text[i] has; 0 where there is none.
std::size_t characterAt(const std::string& text, std::size_t i) {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    const unsigned lead = byte(i);
    const std::size_t length = lead < 0x80                   ? 1
                               : lead >= 0xc2 && lead < 0xe0 ? 2
                               : lead >= 0xe0 && lead < 0xf0 ? 3
                               : lead >= 0xf0 && lead < 0xf5 ? 4
                                                             : 0;
    if (length == 0 || i + length > text.size()) return 0;
    for (std::size_t at = i + 1; at < i + length; ++at)
        if ((byte(at) & 0xc0) != 0x80) return 0;
    // Too long a form of a character, half of a surrogate pair, beyond Unicode's end.
    const unsigned second = length > 1 ? byte(i + 1) : 0;
    if ((lead == 0xe0 && second < 0xa0) || (lead == 0xed && second >= 0xa0) ||
        (lead == 0xf0 && second < 0x90) || (lead == 0xf4 && second >= 0x90))
        return 0;
    return length;
}

// What a kernel throws may hold any bytes.
std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = characterAt(text, i);
        const char c = text[i];
        if (length == 0) {
            out += "\\ufffd";
        } else if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (c == '\n') {
            out += "\\n";
        } else if (static_cast<unsigned char>(c) < 0x20) {
            char code[8];
            std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(c));
            out += code;
        } else {
            out += text.substr(i, length);
        }
        i += length == 0 ? 1 : length;
    }
    return out + '"';
}

// Without colours, and without the report's margin.
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
    const char* const file = std::getenv("LAB_RESULTS");
    if (!file || !*file || !wanted) return;
    file_ = file;
    const char* const part = std::getenv("LAB_PART");
    part_ = part ? part : "";
}

void ResultsFile::runBegan() {
    if (!file_.empty()) out_.open(file_ + ".new");
}

void ResultsFile::testEnded(const std::string& test, Status status,
                            const std::set<std::string>& findings, const std::string& begin,
                            const std::string& explanation) {
    if (file_.empty()) return;
    ++counts_[static_cast<int>(status)];
    out_ << "{\"part\":" << quoted(part_) << ",\"test\":" << quoted(test) << ",\"status\":\""
         << name(status) << "\",\"findings\":[";
    const char* separator = "";
    for (const std::string& kind : findings) {
        out_ << separator << quoted(kind);
        separator = ",";
    }
    out_ << "]";
    if (!begin.empty()) out_ << ",\"begin\":" << quoted(begin);
    // Flushed, because the next test may end the program.
    out_ << ",\"explanation\":" << quoted(plain(explanation)) << "}" << std::endl;
}

void ResultsFile::runEnded(bool complete) {
    if (file_.empty()) return;
    if (counts_[0] + counts_[1] + counts_[2] == 0) {
        std::remove((file_ + ".new").c_str());
        return;
    }
    if (complete)
        out_ << "{\"end\":true,\"passed\":" << counts_[0] << ",\"failed\":" << counts_[1]
             << ",\"left_out\":" << counts_[2] << "}\n";
    out_.close();
    if (!out_ || std::rename((file_ + ".new").c_str(), file_.c_str()) != 0) giveUp();
}

void ResultsFile::giveUp() {
    std::cerr << "LAB_RESULTS: " << file_
              << " cannot be written; choose another file, or see whether the disk is full\n";
    file_.clear();
    lost = true;
}

bool resultsLost() { return lost; }

}  // namespace testing
