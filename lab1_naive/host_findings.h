// Findings of the host side that the tests of TODO(8) and TODO(10) judge, and no others.
#pragma once

#include <string>
#include <vector>

const std::vector<std::string> kHostFindings = {"leak", "unchecked-launch"};
