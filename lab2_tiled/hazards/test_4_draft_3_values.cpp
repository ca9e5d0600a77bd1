// Tests the values of the printed draft of the tiled kernel.
#include "lab2_tiled/hazards/draft_run.h"
#include "testing/device.h"

using matrix::Pattern;

TEST_CASE("the repaired draft computes M x N, on whole numbers and on fractions") {
    const device::WithoutWarps withoutWarps;
    // The last has more rows than a char counts.
    for (const matrix::DataSet& set :
         {hazards::tiles(Pattern::SmallIntegers), hazards::tiles(Pattern::Uniform),
          hazards::tiles(Pattern::Uniform, 128 / hazards::widthOfTiles() + 1)})
        lab::expectProduct("draftMatrixMul", hazards::draftProduct("draftMatrixMul", set), set);
}
