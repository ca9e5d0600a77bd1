#include "testing/section_to_read.h"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace testing {

namespace {

// "README.md / The kernel / step 4" -> its pieces.
std::vector<std::string> piecesOf(const std::string& text) {
    const std::string separator = " / ";
    std::vector<std::string> pieces;
    std::size_t begin = 0;
    for (std::size_t end = text.find(separator); end != std::string::npos;
         end = text.find(separator, begin)) {
        pieces.push_back(text.substr(begin, end - begin));
        begin = end + separator.size();
    }
    pieces.push_back(text.substr(begin));
    return pieces;
}

struct Rule {
    std::string key, place;
};

// The rules of a part such as "lab2_tiled/kernel", in their order.
std::vector<Rule> rulesOf(const std::string& part) {
    std::vector<Rule> rules;
    const std::size_t slash = part.find('/');
    if (slash == std::string::npos) return rules;
    std::ifstream in(part.substr(0, slash) + "/sections.txt");
    std::string line;
    while (std::getline(in, line)) {
        const std::size_t colon = line.find(": ");
        std::istringstream rule(line.substr(0, colon));
        std::string ofPart, key;
        if (colon == std::string::npos || !(rule >> ofPart >> key)) continue;
        if (ofPart == part.substr(slash + 1)) rules.push_back({key, line.substr(colon + 2)});
    }
    return rules;
}

}  // namespace

std::string sectionToRead(const std::string& part, const std::vector<std::string>& keys) {
    for (const Rule& rule : rulesOf(part)) {
        if (std::find(keys.begin(), keys.end(), rule.key) == keys.end()) continue;
        const std::vector<std::string> pieces = piecesOf(rule.place);
        if (pieces.size() < 2) continue;
        return part.substr(0, part.find('/')) + "/" + pieces[0] + ", section '" + pieces[1] + "'" +
               (pieces.size() > 2 ? ", " + pieces[2] : "");
    }
    return "";
}

std::vector<std::string> todosOf(const std::string& part) {
    std::vector<std::string> todos;
    for (const Rule& rule : rulesOf(part))
        if (rule.key.rfind("TODO(", 0) == 0) todos.push_back(rule.key);
    return todos;
}

}  // namespace testing
