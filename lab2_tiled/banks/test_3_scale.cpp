// Tests the values of rows times their first elements.
#include "lab2_tiled/banks/values.h"

TEST_CASE("every row is multiplied by its first element") {
    for (const int rows : {32, 96, 320}) {
        INFO("rows: " << rows);
        banks::expectScaled(rows);
    }
}
