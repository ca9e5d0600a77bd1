#include "simulator/model/cards.h"

namespace cusim {
namespace {

// README.md names the sources.
constexpr Card kCards[] = {
    {"h200", "an H200", 1980, 128, 32, 4814e3, true},
    {"v100", "a V100", 1530, 64, 32, 900e3, true},
    {"turing", "a T4", 1590, 64, 16, 320e3, true},
    {"maxwell", "a GTX 750 Ti", 1085, 128, 32, 86.4e3, true},
    {"device-d", "a GTX 480", 1401, 32, 16, 177.4e3, true},
    {"cc12", "a GT 240", 1340, 8, 8, 54.4e3, false},
    {"8800gtx", "an 8800 GTX", 1350, 8, 8, 86.4e3, false},
};

}  // namespace

const Card& cardOf(const std::string& profile) {
    for (const Card& card : kCards)
        if (profile == card.profile) return card;
    return kCards[0];
}

}  // namespace cusim
