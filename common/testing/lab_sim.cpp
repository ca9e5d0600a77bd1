#include "testing/lab_sim.h"

#include <algorithm>
#include <iterator>

#include "testing/found_sim.h"

namespace lab {

std::vector<cusim::Finding> findingsOf(const std::string& kind) {
    std::vector<cusim::Finding> all;
    std::copy_if(cusim::findings().begin(), cusim::findings().end(), std::back_inserter(all),
                 [&](const cusim::Finding& finding) { return finding.kind == kind; });
    return all;
}

void failFor(const std::vector<cusim::Finding>& findings, const std::string& sentence) {
    std::vector<testing::Finding> structures;
    std::string text = sentence;
    for (const cusim::Finding& finding : findings) {
        structures.push_back(testing::found(finding));
        text += cusim::text(finding);
    }
    fail(structures, text);
}

}  // namespace lab
