// Tests the memory requests of the transpose through a tile.
#include "lab2_tiled/banks/requests.h"

namespace {

constexpr std::size_t kWhole = sizeof(float) * banks::kBanks * banks::kBanks,
                      kPadded = kWhole + sizeof(float) * banks::kBanks;

std::size_t sharedBytes() {
    const auto& launch = banks::onlyLaunch(Todo(1));
    return launch.staticSharedBytes + launch.dynamicSharedBytes;
}

// Tests whether a store to the tile has two words.
bool storesDoubles() {
    const auto& shared = banks::onlyLaunch(Todo(1)).shared();
    return shared.storedBytes == 2 * sizeof(float) * shared.stores;
}

// Returns what to do about conflicts of the transpose, by the size of its tile.
std::string remedy() {
    const std::size_t bytes = sharedBytes();
    if (bytes == kPadded)
        return "The tile has 32 x 33 words. Is each row 33 words long, and does each index count "
               "rows\nof 33 words?";
    const std::string one =
        "With one more word in each row, the words of a column are in different banks.";
    if (storesDoubles())
        return one +
               "\nThe tile has two words for each element. Is it of type double? A float has one.";
    return bytes > kWhole && bytes % kWhole == 0
               ? lab::filled(
                     "{}\nHere the tile has {}, a multiple of 32 x 32: word 32 of a row is in "
                     "bank 0\nagain.",
                     one, lab::count(bytes / sizeof(float), "word"))
                     .words
               : one;
}

}  // namespace

TEST_CASE("TODO(1): rows and columns of the tile are read without bank conflicts") {
    banks::expectTransposed(64, 96);
    banks::expectNoConflicts(Todo(1), 2 * 64 * 96, remedy());
}

TEST_CASE("the transpose loads and stores whole sectors of device memory") {
    banks::expectTransposed(64, 96);
    banks::expectCoalesced(Todo(1), 64 * 96);
}

TEST_CASE("the tile of the transpose has at most one extra word per row") {
    banks::expectTransposed(32, 32);
    const std::size_t bytes = sharedBytes();
    if (bytes > kPadded)
        lab::fail("shared-bytes", Todo(1),
                  "the block has {} of shared memory, but {} are enough:\n32 rows of 33 words.{}",
                  lab::count(bytes, "byte"), lab::count(kPadded, "byte"),
                  storesDoubles() ? " Is the tile of type double? A double has two words." : "");
    const matrix::Matrix A = exact::numbers(32, 32);
    matrix::Matrix B = matrix::poisoned(32, 32);
    lab::expectCallsChecked("transpose", lab::gives(B),
                            [&] { transpose(A.data(), B.data(), 32, 32); });
}
