// What there is to know about the card that is measured.
#pragma once
#include <string>

namespace bench {

struct Card {
    std::string name, driver, cuda;
    int sms = 0;
    double gigahertz = 0;        // highest clock of the SMs
    double peakGigaflops = 0;    // multiply-adds in float32, two operations each
    double memoryGigabytes = 0;  // a second
    double l2Bytes = 0;
};

// The driver's own version is not known to the CUDA runtime; nvidia-smi tells it.
Card thisCard(const std::string& driver);

}  // namespace bench
