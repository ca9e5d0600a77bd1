// Tests what threads exchange through barriers, warp functions and atomics.
#include <string>
#include <vector>

#include "chosen_options.h"
#include "kernels_warp.h"
#include "testing/catch.h"

namespace {

using Ints = std::vector<int>;
using warps::Shuffle;

// Returns what lane `lane` of a full warp receives.
int received(Shuffle which, int operand, int width, int lane) {
    const Ints all = warps::shuffle(which, operand, width, 64);
    CHECK(all[lane] == all[32 + lane]);
    return all[lane] - 100;
}

}  // namespace

TEST_CASE("Barriers with a vote tell every thread the same") {
    underEachSchedule([] {
        for (const int below : {0, 5, 40}) {
            INFO(below << " of 40");
            const Ints votes = warps::blockVotes(40, below);
            CHECK(Ints(votes.begin(), votes.begin() + 40) == Ints(40, below));
            CHECK(Ints(votes.begin() + 40, votes.begin() + 80) == Ints(40, below == 40));
            CHECK(Ints(votes.begin() + 80, votes.end()) == Ints(40, below > 0));
            CHECK(cusim::launches().back().barriersPerThread == 3);
            CHECK(cusim::launches().back().barriers == 120);
        }
        checkNothingFound();
    });
}

DEVICE_TEST("A barrier does not wait for threads that have returned") {
    const Ints votes = warps::votesOfTheRest(40, 33);
    CHECK(votes[32] == 0);
    CHECK(votes[33] == 7);
    CHECK(votes[39] == 7);
    CHECK(votes[40 + 33] == 1);
    CHECK(cusim::launches().back().completed);
    CHECK(cusim::launches().back().barriers == 3 * 7);
}

DEVICE_TEST("A barrier that threads have skipped by returning is reported with its line") {
    warps::votesOfTheRest(40, 33);
    REQUIRE(cusim::findings().size() == 3);
    for (const cusim::Finding& finding : cusim::findings()) {
        CHECK(finding.kind == "barrier-divergence");
        CHECK(finding.title.rfind("threads have ended without coming to this barrier", 0) == 0);
        CHECK(finding.count == 1);
        REQUIRE(finding.details.size() == 2);
        CHECK(finding.details[0] == "for example thread (0,0,0) of block (0,0,0)");
        CHECK(finding.details[1] == "blocks passed it 1 time without all their threads");
    }
    CHECK(cusim::findings()[0].line < cusim::findings()[2].line);
}

DEVICE_TEST("A shuffle reads the lane that it names, in its own segment") {
    CHECK(received(warps::Direct, 5, 32, 0) == 5);
    CHECK(received(warps::Direct, 5, 32, 31) == 5);
    CHECK(received(warps::Direct, 37, 32, 0) == 5);
    CHECK(received(warps::Direct, 3, 16, 4) == 3);
    CHECK(received(warps::Direct, 3, 16, 20) == 19);
    CHECK(received(warps::Direct, 18, 16, 20) == 18);
    checkNothingFound();
}

DEVICE_TEST("A shuffle up or down stops at the end of its segment") {
    CHECK(received(warps::Up, 1, 32, 0) == 0);
    CHECK(received(warps::Up, 1, 32, 1) == 0);
    CHECK(received(warps::Up, 4, 32, 31) == 27);
    CHECK(received(warps::Up, 4, 16, 18) == 18);
    CHECK(received(warps::Up, 4, 16, 20) == 16);
    CHECK(received(warps::Down, 1, 32, 31) == 31);
    CHECK(received(warps::Down, 1, 32, 30) == 31);
    CHECK(received(warps::Down, 4, 16, 12) == 12);
    CHECK(received(warps::Down, 4, 16, 11) == 15);
    CHECK(received(warps::Down, 4, 16, 16) == 20);
    checkNothingFound();
}

DEVICE_TEST("A shuffle by exclusive or reads its own or an earlier segment") {
    CHECK(received(warps::Xor, 1, 32, 6) == 7);
    CHECK(received(warps::Xor, 31, 32, 0) == 31);
    CHECK(received(warps::Xor, 3, 16, 17) == 18);
    CHECK(received(warps::Xor, 16, 16, 2) == 2);
    CHECK(received(warps::Xor, 16, 16, 18) == 2);
    checkNothingFound();
}

DEVICE_TEST("A shuffle moves 8 bytes as well") {
    const std::vector<double> all = warps::shuffledDoubles();
    CHECK(all[0] == 0.5);
    CHECK(all[30] == 15.5);
    CHECK(all[31] == 15.5);
}

TEST_CASE("Votes tell every lane of a warp the same") {
    underEachSchedule([] {
        const std::vector<unsigned> votes = warps::warpVotes(64);
        for (int t = 0; t < 64; ++t) {
            INFO("thread " << t);
            CHECK(votes[t] == 0x55555555u);
            CHECK(votes[64 + t] == 1);
            CHECK(votes[128 + t] == 0);
            CHECK(votes[192 + t] == 0);
            CHECK(votes[256 + t] == 1);
        }
        checkNothingFound();
    });
}

DEVICE_TEST("Lanes that have returned, or never were, do not vote") {
    CHECK(warps::ballotOfTheRest(32, 4) == 0xfffffff0u);
    CHECK(warps::ballotOfTheRest(20, 0) == 0x000fffffu);
    CHECK(warps::activeMasks(40)[0] == 0xffffffffu);
    checkNothingFound();
}

TEST_CASE("Lanes exchange values through shared memory around a warp barrier") {
    underEachSchedule([] {
        const Ints y = warps::exchangeThroughShared();
        for (int lane = 0; lane < 32; ++lane) CHECK(y[lane] == (lane ^ 1));
        checkNothingFound();
    });
}

DEVICE_TEST("Two halves of a warp can call warp functions apart, each with its mask") {
    const Ints y = warps::halfWarps();
    for (int lane = 0; lane < 16; ++lane) CHECK(y[lane] == 15 - lane);
    for (int lane = 16; lane < 32; ++lane) CHECK(y[lane] == 16);
    checkNothingFound();
}

TEST_CASE("A block reduces by shuffles and one barrier") {
    for (const int threads : {32, 64, 256, 1024}) {
        const ChosenOptions chosen;
        CHECK(warps::reduceBlock(threads) == static_cast<float>(threads * (threads + 1) / 2));
        CHECK(cusim::launches().back().barriersPerThread == 1);
        checkNothingFound();
    }
}

TEST_CASE("Atomics give what a serial loop gives, with any number of workers") {
    const std::vector<double> expected = warps::serialAtomics(20, 48);
    underEachSchedule([&] {
        CHECK(warps::atomics(20, 48) == expected);
        checkNothingFound();
    });
}

TEST_CASE("A loop of compare-and-swap loses no step") {
    for (const int workers : {1, 2, 5}) {
        const ChosenOptions chosen(workers);
        CHECK(warps::countByCompareAndSwap(10, 40) == 400);
        CHECK(warps::sumByCompareAndSwap(10, 40) == 10 * 40 * 39 / 2);
        checkNothingFound();
    }
}
