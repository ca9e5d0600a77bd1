// Finds the section of a handout that explains what a failed test is about. LAB_SECTIONS lists the
// sections for the part under test, from lab.toml (see common/course/facts.py), one line per key:
//
//   KEY: FILE, section 'HEADING', step N
//
// KEY is a TODO, a question, a kind of finding, or * for any. The first line that matches counts.
#pragma once

#include <string>
#include <vector>

namespace testing {

// Returns, for example, "lab2_tiled/README.md, section 'The kernel', step 4" from the first line
// with one of these keys, or nothing.
std::string sectionToRead(const std::vector<std::string>& keys);

// Returns the TODO whose step this section is, or nothing.
std::string todoOfSection(const std::string& section);

// Returns the keys that begin with this text; todosOfPart() those of the part's TODOs.
std::vector<std::string> keysWith(const std::string& beginning);
std::vector<std::string> todosOfPart();

}  // namespace testing
