#include "testing/paragraphs.h"

#include <algorithm>
#include <sstream>

namespace testing {

namespace {

constexpr std::size_t kColumns = 80, kIndent = 7, kMark = 6;

// Returns the width of a text on a terminal, without the codes of colours.
std::size_t columnsOf(const std::string& text) {
    std::size_t columns = 0;
    for (std::size_t i = 0; i < text.size(); ++i)
        if (text[i] == '\033')
            i = std::min(text.find('m', i), text.size());
        else if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U)  // not inside of UTF-8
            ++columns;
    return columns;
}

// Returns the position of the space at which a row must be broken to fit, that after its first
// word if that word is too long already, or npos if it fits or has no space.
std::size_t breakIn(const std::string& row, std::size_t room) {
    std::size_t found = std::string::npos;
    if (columnsOf(row) <= room) return found;
    for (std::size_t space = row.find(' '); space != std::string::npos;
         space = row.find(' ', space + 1)) {
        const bool fits = columnsOf(row.substr(0, space)) <= room;
        if (fits || found == std::string::npos) found = space;
        if (!fits) break;
    }
    return found;
}

}  // namespace

std::string below(const std::string& text) {
    std::string out, rest, line;
    std::size_t column = 0;  // of the beginning of a broken line's rest
    const auto add = [&](const std::string& row) {
        out += row.empty() ? "\n" : std::string(kIndent + column, ' ') + row + "\n";
    };
    std::istringstream in(text);
    while (std::getline(in, line)) {
        const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
        std::string row = line.substr(begin);
        if (!rest.empty() && begin == column && !row.empty())
            row = rest + " " + row;
        else if (!rest.empty())
            add(rest);
        rest.clear();
        column = begin;
        const std::size_t room = kColumns - std::min(kIndent + column, kColumns - 1);
        bool broken = false;
        for (std::size_t end = breakIn(row, room); end != std::string::npos;
             end = breakIn(row, room)) {
            add(row.substr(0, end));
            row.erase(0, end + 1);
            broken = true;
        }
        if (broken)
            rest = row;
        else
            add(row);
    }
    if (!rest.empty()) add(rest);
    return out;
}

std::string headline(const std::string& name) {
    std::string out, row = name;
    for (std::size_t end = breakIn(row, kColumns - kMark); end != std::string::npos;
         end = breakIn(row, kColumns - kMark)) {
        out += row.substr(0, end) + "\n" + std::string(kMark, ' ');
        row.erase(0, end + 1);
    }
    return out + row;
}

}  // namespace testing
