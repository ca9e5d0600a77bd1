#pragma once

#include <string>
#include <vector>

namespace harness {

// What the command line of a lab's program asks for. -i, -e, -o and -t are those of the course
// library libwb, so that commands written for it work as they are.
struct CommandLine {
    bool help = false;
    bool table = false;
    std::string inputM, inputN;        // -i M,N; both empty where it is not given
    std::string expected;              // -e; empty where it is not given
    std::string output;                // -o; empty where it is not given
    std::vector<std::string> folders;  // --set, each a data set
    std::vector<std::string> parents;  // --sets, each with data sets below it

    bool namesSets() const { return !inputM.empty() || !folders.empty() || !parents.empty(); }
};

// Reads the arguments, without the program's name. Opens no file. Throws matrix::InputError, one
// sentence with the remedy, where they make no sense.
CommandLine parseCommandLine(const std::vector<std::string>& arguments);

// What --help prints; ends in a line end.
const char* helpText();

}  // namespace harness
