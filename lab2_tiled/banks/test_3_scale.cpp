// Rows times their first elements: the values.
#include "lab2_tiled/banks/values.h"

TEST_CASE("every row is multiplied by its first element") {
    for (const int rows : {32, 96}) {
        INFO("rows: " << rows);
        banks::expectScaled(rows);
    }
}
