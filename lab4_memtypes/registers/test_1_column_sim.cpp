#include "lab4_memtypes/registers/counts.h"

TEST_CASE("for 8 products, a column of 8 elements reads 1 + 8 words of shared memory") {
    expectWords({Todo(1), columnMatrixMul}, 1 + 8, 8);
}
