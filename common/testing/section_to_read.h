// Tells which section of a handout explains what a failed test is about. LAB_SECTIONS holds it for
// the part under test, from the lab's lab.toml (see common/course/facts.py), a line a key:
//
//   KEY: FILE, section 'HEADING', step N
//
// KEY is a TODO, a question, a kind of finding, or * for any. The first line that fits counts.
#pragma once

#include <string>
#include <vector>

namespace testing {

// Returns "lab2_tiled/README.md, section 'The kernel', step 4" for the first line with one of these
// keys; empty where there is none.
std::string sectionToRead(const std::vector<std::string>& keys);

// Returns the part's TODOs: those that have a line.
std::vector<std::string> todosOfPart();

}  // namespace testing
