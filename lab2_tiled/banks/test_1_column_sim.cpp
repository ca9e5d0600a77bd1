// Tests how many passes a column takes, by the width of the array's rows.
#include <iostream>
#include <numeric>

#include "lab2_tiled/banks/requests.h"

namespace {

// Returns a line on a launch with another number for BANKS in all three places: the threads, the
// shared memory and the copy back.
std::string ifOtherBanks(int rowWords) {
    if (cusim::launches().empty()) return "";
    const cusim::LaunchReport& launch = cusim::launches().front();
    const std::size_t banks = launch.block.x, bytes = banks * sizeof(float);
    if (banks == banks::kBanks || launch.dynamicSharedBytes != bytes * lab::product(rowWords, 1) ||
        lab::bytesCopiedBack() != bytes)
        return "";
    return lab::filled("\nBANKS must be {}, but the launch and the copy back are for {}.",
                       banks::kBanks, banks);
}

std::uint64_t passesFor(int rowWords) {
    matrix::Matrix out = matrix::poisoned(1, banks::kBanks), wanted(1, banks::kBanks);
    for (int i = 0; i < banks::kBanks; ++i) wanted(0, i) = static_cast<float>(i);
    INFO(banks::otherBanks());
    lab::run("column", lab::gives(out), [&] { column(out.data(), rowWords); });
    exact::expectEqual("column", out, wanted, {}, ifOtherBanks(rowWords));
    const auto& warps = banks::requestsOf("column");
    return warps.sharedRequests == 0 ? 0 : warps.sharedPasses / warps.sharedRequests;
}

}  // namespace

TEST_CASE("a column takes 32 passes in a [32][32] array, and one pass in a [32][33] array") {
    std::cout << "\n       a warp reads a column of 32 rows:\n";
    for (const int rowWords : {1, 2, 16, 31, 32, 33, 34, 36, 48, 64}) {
        // Rows r and r' share a bank if (r - r') * rowWords is a multiple of 32.
        const auto wanted = static_cast<std::uint64_t>(std::gcd(rowWords, banks::kBanks));
        const std::uint64_t passes = passesFor(rowWords);
        std::cout << "       rows of " << (rowWords < 10 ? " " : "") << rowWords
                  << " words: " << lab::count(passes, passes == 1 ? "pass" : "passe")
                  << " per request\n";
        if (passes != wanted)
            lab::fail("demonstration-changed",
                      "columnKernel must need {} here. It is a demonstration: restore it.",
                      lab::count(wanted, wanted == 1 ? "pass" : "passe"));
    }
    matrix::Matrix out = matrix::poisoned(1, banks::kBanks);
    lab::expectCallsChecked("column", lab::gives(out), [&] { column(out.data(), 1); });
}
