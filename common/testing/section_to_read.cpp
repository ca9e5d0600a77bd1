#include "testing/section_to_read.h"

#include <algorithm>
#include <sstream>

#include "testing/environment.h"

namespace testing {

namespace {

struct Rule {
    std::string key, section;
};

std::vector<Rule> rules() {
    std::istringstream in(fromEnvironment("LAB_SECTIONS"));
    std::vector<Rule> rules;
    std::string line;
    while (std::getline(in, line)) {
        const std::size_t colon = line.find(": ");
        if (colon != std::string::npos)
            rules.push_back({line.substr(0, colon), line.substr(colon + 2)});
    }
    return rules;
}

}  // namespace

std::string sectionToRead(const std::vector<std::string>& keys) {
    for (const Rule& rule : rules())
        if (std::find(keys.begin(), keys.end(), rule.key) != keys.end()) return rule.section;
    return "";
}

std::vector<std::string> keysWith(const std::string& beginning) {
    std::vector<std::string> keys;
    for (const Rule& rule : rules())
        if (rule.key.rfind(beginning, 0) == 0) keys.push_back(rule.key);
    return keys;
}

std::string todoOfSection(const std::string& section) {
    for (const std::string& todo : todosOfPart())
        if (sectionToRead({todo}) == section) return todo;
    return "";
}

std::vector<std::string> todosOfPart() { return keysWith("TODO("); }

}  // namespace testing
