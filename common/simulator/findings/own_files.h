// Tells which files a report may show lines of. A #line can make a kernel's line any file's.
#pragma once

#include <string>
#include <vector>

namespace cusim {

// From now on, lines of these files alone are shown; with none, of every file, as at first.
void showOnly(std::vector<std::string> files);

// Returns the files that were given to showOnly.
const std::vector<std::string>& ownFiles();

// Returns whether lines of a file may be shown.
bool mayShow(const std::string& file);

}  // namespace cusim
