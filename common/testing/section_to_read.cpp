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

}  // namespace

std::string sectionToRead(const std::string& part, const std::string& todo,
                          const std::vector<std::string>& findings) {
    const std::size_t slash = part.find('/');
    if (slash == std::string::npos) return "";
    const std::string lab = part.substr(0, slash);
    std::ifstream in(lab + "/sections.txt");
    std::string line;
    while (std::getline(in, line)) {
        const std::size_t colon = line.find(": ");
        std::istringstream rule(line.substr(0, colon));
        std::string ofPart, key;
        if (colon == std::string::npos || !(rule >> ofPart >> key)) continue;
        if (ofPart != part.substr(slash + 1)) continue;
        if (key != "*" && key != todo &&
            std::find(findings.begin(), findings.end(), key) == findings.end())
            continue;
        const std::vector<std::string> pieces = piecesOf(line.substr(colon + 2));
        if (pieces.size() < 2) continue;
        return lab + "/" + pieces[0] + ", section '" + pieces[1] + "'" +
               (pieces.size() > 2 ? ", " + pieces[2] : "");
    }
    return "";
}

}  // namespace testing
