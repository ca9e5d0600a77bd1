// Which section of a handout explains what a failed test is about. Each lab says so in its
// sections.txt, a rule a line, of which the first that fits counts:
//
//   PART KEY: FILE / HEADING
//   PART KEY: FILE / HEADING / step N
//
// PART is a part of the lab, KEY a TODO, a question, a kind of finding or * for any. FILE lies in
// the lab's folder; its list under HEADING has a step of that number. Lines that begin with # say
// nothing. common/testing/check_sections.sh checks that all this is so.
#pragma once

#include <string>
#include <vector>

namespace testing {

// Of a part such as "lab2_tiled/kernel": "lab2_tiled/README.md, section 'The kernel', step 4", by
// the first rule with one of these keys; empty where there is none.
std::string sectionToRead(const std::string& part, const std::vector<std::string>& keys);

// The TODOs of a part: those that have a rule.
std::vector<std::string> todosOf(const std::string& part);

}  // namespace testing
