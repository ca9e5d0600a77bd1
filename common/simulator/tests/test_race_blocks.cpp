// Tests races across blocks, brought together from what several host threads saw.
#include <map>
#include <memory>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "simulator/observers/races.h"
#include "testing/catch.h"

namespace {

using cusim::AccessKind;
using cusim::Instruction;
using Cells = cusim::Races::GlobalCells;

struct Access {
    std::size_t offset, bytes;
    Instruction instruction;
    std::uint32_t block;
    std::uint16_t thread;
};

// Runs the blocks in their order, block b on host thread b % workers, each with two stretches
// between barriers.
cusim::RaceLog log(const std::vector<Access>& accesses, unsigned workers) {
    std::vector<std::unique_ptr<Cells>> cells(workers);
    std::vector<std::uint32_t> epochs(workers, 0);
    std::map<std::uint32_t, std::vector<Access>> blocks;
    for (const Access& a : accesses) blocks[a.block].push_back(a);
    for (const auto& [block, own] : blocks) {
        auto& here = cells[block % workers];
        if (!here) here = std::make_unique<Cells>(64);
        for (std::size_t i = 0; i < own.size(); ++i) {
            if (i % 3 == 0) ++epochs[block % workers];
            const Access& a = own[i];
            here->access(a.offset, a.bytes, a.instruction,
                         {block, epochs[block % workers], a.thread, 0});
        }
    }
    std::vector<const Cells*> all;
    all.reserve(workers);
    for (const auto& one : cells) all.push_back(one.get());
    cusim::RaceLog result;
    cusim::findRacesAcrossBlocks(0, all, result);
    return result;
}

using Key = std::pair<Instruction, Instruction>;

std::map<Key, std::set<std::size_t>> expectedWords(const std::vector<Access>& accesses) {
    std::map<Key, std::set<std::size_t>> words;
    for (const Access& a : accesses)
        for (const Access& b : accesses) {
            if (a.block == b.block || a.instruction > b.instruction) continue;
            const AccessKind first = cusim::kindOf(a.instruction),
                             second = cusim::kindOf(b.instruction);
            if (first == second && first != AccessKind::Store) continue;
            const std::size_t end = std::min(a.offset + a.bytes, b.offset + b.bytes);
            for (std::size_t byte = std::max(a.offset, b.offset); byte < end; ++byte)
                words[{a.instruction, b.instruction}].insert(byte / 4);
        }
    return words;
}

bool isTrue(const cusim::RacePair& pair, const cusim::RaceExample& one,
            const std::vector<Access>& accesses) {
    const auto touches = [&](Instruction instruction, std::uint32_t block) {
        for (const Access& a : accesses)
            if (a.instruction == instruction && a.block == block && a.offset <= one.offset &&
                one.offset < a.offset + a.bytes)
                return true;
        return false;
    };
    return one.block != one.otherBlock && touches(pair.first, one.block) &&
           touches(pair.second, one.otherBlock);
}

auto flat(const cusim::RaceLog& log) {
    std::vector<std::tuple<Instruction, Instruction, std::uint64_t, std::uint32_t, std::uint32_t,
                           std::uint64_t>>
        all;
    for (const auto& [pair, one] : log.races())
        all.emplace_back(pair.first, pair.second, one.count, one.block, one.otherBlock, one.offset);
    return all;
}

void compare(bool bytes) {
    std::mt19937 random(3);
    const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
    for (int round = 0; round < 400; ++round) {
        std::vector<Access> accesses(1 + below(12));
        for (Access& a : accesses) {
            a.bytes = bytes ? 1u << below(4) : 4u << below(2);
            a.offset = below(16 / static_cast<unsigned>(a.bytes)) * a.bytes;
            const unsigned number = below(6);
            a.instruction = number << 2 | number % 3;
            a.block = below(6);
            a.thread = static_cast<std::uint16_t>(below(64));
        }
        INFO("round " << round);
        const cusim::RaceLog first = log(accesses, 1);
        std::map<Key, std::size_t> counts, expected;
        for (const auto& [pair, one] : first.races()) {
            CHECK(pair.acrossBlocks);
            CHECK(isTrue(pair, one, accesses));
            counts[{pair.first, pair.second}] = one.count;
        }
        for (const auto& [key, words] : expectedWords(accesses)) expected[key] = words.size();
        REQUIRE(counts == expected);
        for (const unsigned workers : {2, 3, 5}) {
            INFO(workers << " host threads");
            REQUIRE(flat(log(accesses, workers)) == flat(first));
        }
    }
}

constexpr Instruction kStore = 1, kLoad = 1 << 2;

}  // namespace

TEST_CASE("Races across blocks are those that a comparison of all accesses finds") {
    SECTION("of words") { compare(false); }
    SECTION("of bytes and words") { compare(true); }
}

TEST_CASE("Blocks that are one and the same do not race") {
    CHECK(
        log({{0, 4, kStore, 3, 0}, {0, 4, kStore, 3, 1}, {0, 4, kLoad, 3, 2}}, 1).races().empty());
}

TEST_CASE("The example across blocks names the block that reads and the one that writes") {
    // All blocks store, the first one reads: it does not race with itself.
    const auto races = log({{0, 4, kStore, 0, 0}, {0, 4, kStore, 1, 0}, {0, 4, kLoad, 0, 0}}, 1);
    bool found = false;
    for (const auto& [pair, one] : races.races()) {
        if (pair.second != kLoad) continue;
        found = true;
        CHECK(one.block == 1);
        CHECK(one.otherBlock == 0);
    }
    CHECK(found);
}
