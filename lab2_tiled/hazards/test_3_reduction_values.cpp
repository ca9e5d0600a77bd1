// Tests the values of the tree reduction.
#include "lab2_tiled/hazards/values.h"

TEST_CASE("each column is divided by the sum of its absolute values") {
    const int shapes[][2] = {{128, 4}, {1, 3}, {31, 2}, {100, 5}, {300, 3}, {2, 300}};
    for (const auto& shape : shapes) {
        INFO("rows x cols = " << shape[0] << " x " << shape[1]);
        hazards::expectValues(Todo(3), hazards::onNormalizeColumns(shape[0], shape[1]));
    }
}
