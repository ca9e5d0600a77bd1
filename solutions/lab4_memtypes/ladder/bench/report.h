// Writes the benchmark's result as CSV and as Markdown.
#pragma once
#include <iosfwd>
#include <string>

#include "bench/measurement.h"

namespace bench {

struct Card {
    std::string name, driver, cuda;
    int sms;
    double gigahertz;        // highest clock of the SMs
    double peakGigaflops;    // multiply-adds in float32, two operations each
    double memoryGigabytes;  // GB/s
    double l2Bytes;
};

void writeCsv(std::ostream& out, const Card& card, const Results& results);
void writeMarkdown(std::ostream& out, const Card& card, const Results& results);

}  // namespace bench
