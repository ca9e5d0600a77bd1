#include "lab4_memtypes/registers/counts.h"

TEST_CASE("a column of 8 elements takes 1 + 8 words from shared memory for 8 products") {
    expectWords({Todo(1), columnMatrixMul}, 1 + 8, 8);
}
