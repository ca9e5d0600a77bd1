// Writes the benchmark's result as CSV and as Markdown.
#pragma once
#include <iosfwd>
#include <vector>

#include "bench/card.h"
#include "bench/measurement.h"

namespace bench {

extern const char* const kYardstick;  // the kernel to which all shares refer

void writeCsv(std::ostream& out, const Card& card, const std::vector<Measurement>& rows);
void writeMarkdown(std::ostream& out, const Card& card, const std::vector<Measurement>& rows);

}  // namespace bench
