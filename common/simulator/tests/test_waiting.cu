// Tests that host code of a process of its own that waits for nothing is found by its line.
#include <unistd.h>

#include <string>

#include "chosen_options.h"
#include "simulator/engine/faults.h"
#include "simulator/engine/watchdog.h"
#include "simulator/findings/source_lines.h"

namespace {

using cusim::Outcome;

constexpr unsigned kHalfASecond = 500000;

// May wait for a second at most.
Outcome runAlone(const std::function<void()>& hostCode) {
    cusim::reset();
    cusim::noteEndlessHost();
    return cusim::guardedAlone(hostCode, 1 / cusim::kOfLimitNextTime);
}

}  // namespace

DEVICE_TEST("Host code that waits for too long ends its call, with the line where it waits") {
    const Outcome outcome = runAlone([] {
        sleep(20);  // here
    });
    CHECK(outcome.how == Outcome::Faulted);
    const cusim::Finding finding = onlyFinding();
    CHECK(finding.kind == "endless-host");
    CHECK(holds(finding.title, "has waited for long"));
    CHECK(holds(cusim::sourceLine(finding.file, finding.line), "// here"));
}

DEVICE_TEST("Host code that waits for a short time, for the device, or gets on is left alone") {
    const auto waits = [] {
        for (int i = 0; i < 3; ++i) {
            usleep(kHalfASecond);
            cudaDeviceSynchronize();
        }
        cusim::hostProgress().spareTurn();  // as in a call of the runtime
        usleep(3 * kHalfASecond);
    };
    CHECK(runAlone(waits).how == Outcome::Returned);
    CHECK(cusim::guarded([] { usleep(3 * kHalfASecond); }).how == Outcome::Returned);
    CHECK(cusim::findings().empty());
}
