// Converts the simulated device's report into bytes and back.
#pragma once

#include <string_view>
#include <vector>

#include "simulator/api/report.h"
#include "verdict/record/bytes.h"

namespace testing {

// Pieces of host memory that both programs know, in the same order. An address in a piece is
// written as the piece's number and an offset, and becomes an address of the reading program. Any
// other stays a number, which is never followed.
using KnownMemory = std::vector<std::string_view>;

// Append a report or a finding to the bytes.
void write(ByteWriter& writer, cusim::Report report, const KnownMemory& known);
void write(ByteWriter& writer, const cusim::Finding& finding);

// Append how a call ended, and read it; throws Damaged.
void write(ByteWriter& writer, const cusim::Outcome& outcome);
cusim::Outcome readOutcome(ByteReader& reader);

// Read a report or a finding; throw Damaged. Control characters in texts are replaced.
cusim::Report readReport(ByteReader& reader, const KnownMemory& known);
cusim::Finding readFinding(ByteReader& reader);

}  // namespace testing
