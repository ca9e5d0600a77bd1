// Tests the memory requests of the transpose through a tile.
#include "lab2_tiled/banks/requests.h"

TEST_CASE("TODO(1): rows and columns of the tile are read without bank conflicts") {
    banks::expectTransposed(64, 96);
    banks::expectNoConflicts(
        Todo(1), 2 * 64 * 96,
        "With one more word in each row, the words of a column are in different banks.");
}

TEST_CASE("the transpose loads and stores whole sectors of device memory") {
    banks::expectTransposed(64, 96);
    banks::expectCoalesced(Todo(1), 64 * 96);
}

TEST_CASE("the tile of the transpose has at most one extra word per row") {
    banks::expectTransposed(32, 32);
    const auto& launch = banks::onlyLaunch(Todo(1));
    const std::size_t bytes = launch.staticSharedBytes + launch.dynamicSharedBytes;
    const std::size_t enough = sizeof(float) * banks::kBanks * (banks::kBanks + 1);
    if (bytes > enough)
        lab::fail(
            "shared-bytes", Todo(1),
            "the block has {} of shared memory, but {} are enough:\n32 rows of 33 words.{}",
            lab::count(bytes, "byte"), lab::count(enough, "byte"),
            bytes == 2 * enough ? " Is the tile of type double? A double has two words." : "");
    const matrix::Matrix A = exact::numbers(32, 32);
    matrix::Matrix B = matrix::poisoned(32, 32);
    lab::expectCallsChecked("transpose", lab::gives(B),
                            [&] { transpose(A.data(), B.data(), 32, 32); });
}
