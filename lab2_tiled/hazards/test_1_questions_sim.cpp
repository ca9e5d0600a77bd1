// Tests the barriers of the four questions on one tile.
#include <algorithm>

#include "lab2_tiled/hazards/barriers.h"

namespace {

// Returns a line on numbers that are never loaded, where others are; empty where each is loaded.
std::string loadsSeen() {
    for (const auto& array : hazards::onlyLaunch("fourQuestions").arrays) {
        const auto& loads = array.elementLoads;
        const auto never = std::find(loads.begin(), loads.end(), 0U);
        if (array.count.loads == 0 || array.space != cusim::Space::Global || never == loads.end())
            continue;
        const auto most = std::max_element(loads.begin(), loads.end());
        return lab::filled(
            "in[{}] is never loaded, and in[{}] {}: each thread loads\nthe number of its own "
            "element.",
            never - loads.begin(), most - loads.begin(), lab::count(*most, "time"));
    }
    return "";
}

}  // namespace

TEST_CASE("TODO(1): a barrier keeps every pair of threads apart that share an element") {
    const lab::CountElements counting;
    hazards::expectSynchronized(Todo(1), 2, hazards::onFourQuestions(), loadsSeen);
}

TEST_CASE("TODO(1): two barriers answer the four questions") {
    const hazards::Trial trial = hazards::onFourQuestions();
    hazards::countedLaunch(Todo(1), trial);
    hazards::expectNoMoreBarriers(Todo(1), 2,
                                  "Between two reads, or where a thread meets only its own "
                                  "element,\nnone is needed.");
    hazards::expectStoredOnce("fourQuestions", trial);
    hazards::expectCallsChecked("fourQuestions", trial);
}
