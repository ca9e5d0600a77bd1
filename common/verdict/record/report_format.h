// The simulated device's report as bytes.
#pragma once

#include <string_view>
#include <vector>

#include "simulator/api/report.h"
#include "verdict/record/bytes.h"

namespace testing {

// Host memory that both programs know, in the same order. An address in it is written as the
// number of the piece and the place in it, and is read as an address of the reading program; any
// other stays a number, which nobody follows.
using KnownMemory = std::vector<std::string_view>;

void write(ByteWriter& writer, cusim::Report report, const KnownMemory& known);
void write(ByteWriter& writer, const cusim::Finding& finding);

// Throw Damaged. All text is fit to be shown.
cusim::Report readReport(ByteReader& reader, const KnownMemory& known);
cusim::Finding readFinding(ByteReader& reader);

}  // namespace testing
