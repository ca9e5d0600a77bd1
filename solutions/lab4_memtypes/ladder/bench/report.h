// The benchmark's result, and how it is written as CSV and as Markdown.
#pragma once
#include <iosfwd>
#include <string>
#include <vector>

namespace bench {

// The shape of P = M x N: M is j x k, N is k x l.
struct Size {
    int j, k, l;
    double operations() const { return 2.0 * j * k * l; }
};

struct Measurement {
    std::string kernel;
    Size size;
    bool leftOut;             // a run would have taken too long
    double requestedBytes;    // 0: unknown
    double milliseconds = 0;  // median of the runs
    double spread = 0;        // of the middle 80 % of the runs, over the median
    int runs = 0;

    double gigaflops() const { return size.operations() / milliseconds * 1e-6; }
};

// The kernels at each size, the one to which all shares refer first.
using Results = std::vector<std::vector<Measurement>>;

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
