// Tests the values of the printed draft of the tiled kernel.
#include "lab2_tiled/hazards/draft_run.h"
#include "testing/device.h"
#ifdef CUDA_SIMULATED_DEVICE
#include "lab2_tiled/hazards/other_widths.h"
#endif

using matrix::Pattern;

TEST_CASE("the repaired draft computes M x N, with whole numbers and with fractions") {
    const device::WithoutWarps withoutWarps;
    for (const Pattern pattern : {Pattern::SmallIntegers, Pattern::Uniform}) {
        const matrix::DataSet set = hazards::threeTiles(pattern);
        lab::expectProduct("draftMatrixMul", hazards::draftProduct("draftMatrixMul", set), set);
    }
    const int T = hazards::widthOfTiles();
    lab::expectLastTile("draftMatrixMul", T, T, draftMatrixMul, hazards::kOfBarriers);
#ifdef CUDA_SIMULATED_DEVICE
    expectOtherWidths("draftMatrixMul");
#endif
}
