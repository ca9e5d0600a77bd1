// Decides which files' lines a report may show. A #line can give a kernel's line any file name.
#pragma once

#include <string>
#include <vector>

namespace cusim {

// From now on, only lines of these files are shown; with none, those of every file, as at first.
void showOnly(std::vector<std::string> files);
const std::vector<std::string>& ownFiles();

// Returns whether lines of a file may be shown.
bool mayShow(const std::string& file);

}  // namespace cusim
