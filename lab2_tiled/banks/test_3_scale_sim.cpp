// Tests the memory requests of rows times their first elements.
#include "lab2_tiled/banks/requests.h"

TEST_CASE("TODO(2): a word that all threads of a warp read is broadcast in one pass") {
    banks::expectScaled(96);
    banks::expectNoConflicts(Todo(2), 3 * 96 * banks::kBanks,
                             "The row must come from threadIdx.y and the column from threadIdx.x, "
                             "in the\ntile, too: tile[row][column].");
}

TEST_CASE("TODO(2): the rows are loaded and stored in whole sectors") {
    banks::expectScaled(96);
    banks::expectCoalesced(Todo(2), 96 * banks::kBanks);
    const matrix::Matrix A = exact::numbers(32, banks::kBanks);
    matrix::Matrix B = matrix::poisoned(32, banks::kBanks);
    lab::expectCallsChecked("scaleRows", lab::gives(B), [&] { scaleRows(A.data(), B.data(), 32); });
}
