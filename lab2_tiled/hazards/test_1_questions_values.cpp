// Tests the values of the four questions on one tile.
#include "lab2_tiled/hazards/values.h"

TEST_CASE("the four questions: each thread reads the numbers that were written last") {
    hazards::expectValues(Todo(1), hazards::onFourQuestions());
}
