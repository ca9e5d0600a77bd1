// Tests that the traffic of the whole function is what the handout states.
#include "lab1_naive/host_findings.h"
#include "lab1_naive/lab1.h"
#include "matrix/compare.h"
#include "testing/device.h"
#include "testing/lab_sim.h"

TEST_CASE("at Width 256 the kernel makes 33,554,432 global loads and 65,536 stores") {
    const device::WithoutWarps withoutWarps;
    lab::runProduct(kHostFindings, "matrixMul", lab::integers(lab::square(256)),
                    [](auto... matrices) { matrixMul(matrices..., 256); });
    if (cusim::launches().empty())
        lab::fail("not-launched", "matrixMul: no kernel is launched yet. The launch is {}.",
                  Todo(7));
    lab::expectOneLaunch("matrixMul", "all of P");
    lab::expectNoAtomics("matrixMul", "load-count", cusim::launches().front());
    const auto& global = cusim::launches().front().global();
    if (global.loads != 2ull * 256 * 256 * 256 || global.stores != 256ull * 256)
        lab::fail("load-count",
                  "matrixMul: {} and {}.\nEach of the Width^3 products needs two loads, each "
                  "element of P one store.",
                  lab::count(global.loads, "global load"), lab::count(global.stores, "store"));
}
