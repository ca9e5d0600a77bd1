// What tests of the simulated device share beside lab.h.
#pragma once

#include <string>
#include <vector>

#include "simulator/simulator.h"
#include "testing/lab.h"

namespace lab {

// Returns the findings of one kind in the last call.
std::vector<cusim::Finding> findingsOf(const std::string& kind);

// Fails the running test because of these findings, which it shows below the sentence.
[[noreturn]] void failFor(const std::vector<cusim::Finding>& findings, const std::string& sentence);

}  // namespace lab
