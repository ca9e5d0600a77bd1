// Records like those of a student's program, as seeds.
#pragma once

#include <string>
#include <vector>

#include "verdict/record/record_file.h"
#include "verdict/record/report_format.h"

namespace fuzz {

// Returns the memory of the test that reads a report.
const testing::KnownMemory& known();

std::string bytesOf(const cusim::Report& report);

// Returns the keys of the calls in the records.
const std::vector<testing::Key>& keys();

std::vector<std::string> reportSeeds();
std::vector<std::string> recordSeeds();

}  // namespace fuzz
