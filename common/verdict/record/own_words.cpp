#include "verdict/record/own_words.h"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "simulator/findings/own_files.h"
#include "simulator/findings/source_lines.h"
#include "simulator/simulator.h"
#include "testing/environment.h"

namespace testing {
namespace {

constexpr std::size_t kMostText = 120, kMostDigits = 6;
constexpr std::string_view kAsserted = "assertion failed: ";
constexpr std::string_view kOfTheLibrary =
    " std::exception std::bad_alloc std::bad_array_new_length std::bad_cast std::bad_function_call"
    " bad optional access vector::_M_range_check: __n (which is ) >= this->size() cannot create "
    "vector::reserve vector::_M_realloc_insert larger than max_size() basic_string::at: "
    "an exception that is no std::exception ";

bool isOfWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// Tests whether a text contains a whole word.
bool holds(const std::string& text, const std::string& word) {
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
        if ((at == 0 || !isOfWord(text[at - 1])) &&
            (at + word.size() == text.size() || !isOfWord(text[at + word.size()])))
            return true;
    return false;
}

// Returns all words that a text may contain.
std::string vocabulary() {
    std::string text(kOfTheLibrary);
    for (int error = 0; error < 1000; ++error) {
        const auto number = static_cast<cudaError_t>(error);
        text.append(cudaGetErrorString(number)).append(" ");
        text.append(cudaGetErrorName(number)).append(" ");
    }
    for (const std::string& file : cusim::ownFiles())
        text.append(file).append(" ").append(cusim::sourceText(file)).append(" ");
    return text;
}

// Tests for a short number, or one of these words.
bool isKnown(const std::string& word, const std::string& words) {
    const bool number =
        std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isdigit(c); });
    return number ? word.size() <= kMostDigits : holds(words, word);
}

// Tests whether a word may be shown: one of `words` between other signs, or a place, as in
// kernel.cu:12.
bool isOwn(const std::string& word, const std::string& words) {
    const auto first = std::find_if(word.begin(), word.end(), isOfWord);
    if (first == word.end()) return true;
    const std::string core(first, std::find_if(word.rbegin(), word.rend(), isOfWord).base());
    const std::size_t colon = core.rfind(':');
    return isKnown(core, words) || (colon != core.npos && isKnown(core.substr(0, colon), words) &&
                                    isKnown(core.substr(colon + 1), words));
}

std::string withoutBlanks(std::string text) {
    const auto isBlank = [](unsigned char c) { return std::isspace(c); };
    text.erase(std::remove_if(text.begin(), text.end(), isBlank), text.end());
    return text;
}

}  // namespace

void showOwnFiles() {
    std::istringstream in(fromEnvironment("LAB_OWN_FILES"));
    std::vector<std::string> files;
    for (std::string file; std::getline(in, file, ':');) files.push_back(file);
    cusim::showOnly(files);
}

std::string inOwnWords(std::string_view text) {
    std::string out;
    if (cusim::ownFiles().empty()) return std::string(text);
    const std::string words = vocabulary();
    std::istringstream in{std::string(text.substr(0, kMostText))};
    for (std::string word; in >> word;) {
        const bool own = isOwn(word, words);
        if (!own && out.size() >= 3 && out.compare(out.size() - 3, 3, "...") == 0) continue;
        out += (out.empty() ? "" : " ") + (own ? word : "...");
    }
    return out;
}

void keepOwn(cusim::Finding& finding) {
    if (!cusim::mayShow(finding.file)) finding.file.clear(), finding.line = 0;
    if (cusim::ownFiles().empty()) return;
    finding.source = cusim::sourceLine(finding.file, finding.line);
    // A genuine assertion is in the text of the line's file.
    if (finding.title.rfind(kAsserted, 0) != 0) return;
    const std::string condition = withoutBlanks(finding.title.substr(kAsserted.size()));
    if (withoutBlanks(cusim::sourceText(finding.file)).find(condition) == std::string::npos)
        finding.title = "assertion failed";
}

}  // namespace testing
