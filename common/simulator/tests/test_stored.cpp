// Tests which values count as a kernel's.
#include <string>

#include "chosen_options.h"
#include "kernels_stored.h"
#include "simulator/api/report.h"
#include "simulator/simulator.h"
#include "testing/catch.h"

namespace {

std::size_t missing(const std::string& way) {
    float values[stored_values::kCount] = {};
    stored_values::get(way, values);
    return cusim::notStoredByKernels(values, stored_values::kCount);
}

}  // namespace

TEST_CASE("Values that a kernel has stored are known, whichever way the host gets them") {
    for (const char* const way :
         {"copied", "copied, and turned round on the host", "copied on the device first",
          "added to zeros by atomics", "managed memory", "a variable"}) {
        const ChosenOptions chosen;
        INFO(way);
        CHECK(missing(way) == 0);
    }
}

TEST_CASE("Values that the host has made are no kernel's, whichever way they take") {
    for (const char* const way :
         {"host: nothing launched", "host: another kernel's values copied",
          "host: sent through device memory", "host: sent through managed memory",
          "host: sent through a variable"}) {
        const ChosenOptions chosen;
        INFO(way);
        CHECK(missing(way) == stored_values::kCount);
    }
}

DEVICE_TEST("What kernels have stored is forgotten at a reset, and carried by a report") {
    float values[stored_values::kCount] = {};
    stored_values::get("copied", values);
    const cusim::Report report = cusim::currentReport();
    cusim::reset();
    CHECK(cusim::notStoredByKernels(values, stored_values::kCount) == stored_values::kCount);
    cusim::restore(report);
    CHECK(cusim::notStoredByKernels(values, stored_values::kCount) == 0);
}

DEVICE_TEST("A zero may come from anywhere") {
    const float zeros[] = {0.0f, -0.0f};
    CHECK(cusim::notStoredByKernels(zeros, 2) == 0);
}
