// Describes the measured card.
#pragma once
#include <string>

namespace bench {

struct Card {
    std::string name, driver, cuda;
    int sms = 0;
    double gigahertz = 0;        // highest clock of the SMs
    double peakGigaflops = 0;    // multiply-adds in float32, two operations each
    double memoryGigabytes = 0;  // GB/s
    double l2Bytes = 0;
};

// Returns this machine's card. driver is the version from nvidia-smi, as the CUDA runtime does not
// know it.
Card thisCard(const std::string& driver);

}  // namespace bench
