#pragma once

#include <string>
#include <vector>

namespace harness {

// The options of a lab's program. -i, -e, -o and -t mean what they mean in the course library
// libwb, so that commands written for it work here.
struct CommandLine {
    bool help = false;
    bool table = false, brief = false;
    std::string inputM, inputN;        // -i M,N; both empty if not given
    std::string expected;              // -e; empty if not given
    std::string output;                // -o; empty if not given
    std::vector<std::string> folders;  // --set, each a data set
    std::vector<std::string> parents;  // --sets, each with data sets below it

    bool namesSets() const { return !inputM.empty() || !folders.empty() || !parents.empty(); }
};

// Reads the arguments, without the program's name, and opens no file. Throws matrix::InputError,
// one sentence with the remedy, if they are invalid.
CommandLine parseCommandLine(const std::vector<std::string>& arguments);

// Returns what --help prints, with a newline at the end.
const char* helpText();

}  // namespace harness
