// The loops of a source file, from its text: a report that names the line in which a thread was
// caught is of less use than one that names the loop which keeps it there.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cusim {

struct Loop {
    int first = 0, last = 0;  // lines: of its keyword, and of the end of its body
};

// Of a C++ text, in the order of their keywords, so that an outer one comes before an inner one.
std::vector<Loop> loopsOf(std::string_view text);

// The loops of the file that hold all of these lines, the innermost last; none where the file
// cannot be read.
std::vector<Loop> loopsAround(const std::string& file, const std::vector<int>& lines);

}  // namespace cusim
