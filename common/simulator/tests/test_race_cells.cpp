// Tests the race check's memory against a comparison of every access with every other one: within a
// block, and across blocks from what several host threads saw.
#include <sys/resource.h>

#include <algorithm>
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
using cusim::Actor;
using cusim::Instruction;
using Cells = cusim::RaceCells<cusim::Party>;
using GlobalCells = cusim::Races::GlobalCells;

constexpr std::size_t kCellBytes = 64;

struct Access {
    std::size_t offset, bytes;
    Instruction instruction;
    Actor actor;
};

struct Found {
    std::size_t word;
    Instruction first, second;
    unsigned firstThread, secondThread;

    auto key() const { return std::make_tuple(word, first, second); }
    bool operator==(const Found& other) const {
        return key() == other.key() && firstThread == other.firstThread &&
               secondThread == other.secondThread;
    }
};
std::ostream& operator<<(std::ostream& out, const Found& f) {
    return out << "word " << f.word << ": " << f.first << " by " << f.firstThread << ", "
               << f.second << " by " << f.secondThread;
}

Instruction make(unsigned number, AccessKind kind) {
    return number << 2 | static_cast<Instruction>(kind);
}
Instruction load(unsigned number) { return make(number, AccessKind::Load); }
Instruction store(unsigned number) { return make(number, AccessKind::Store); }
Instruction atomic(unsigned number) { return make(number, AccessKind::Atomic); }

Actor actor(unsigned thread, std::uint32_t epoch = 1, unsigned warpEpoch = 0,
            std::uint32_t block = 0) {
    return {block, epoch, static_cast<std::uint16_t>(thread),
            static_cast<std::uint16_t>(warpEpoch)};
}

template <class AnyCells>
std::vector<Found> endEpoch(AnyCells& cells) {
    std::vector<Found> found;
    cells.endEpoch(
        [&](std::size_t offset, Instruction first, Instruction second, unsigned a, unsigned b) {
            found.push_back({offset / 4, first, second, a, b});
        });
    return found;
}

std::vector<Found> found(const std::vector<Access>& accesses) {
    Cells cells(kCellBytes);
    for (const Access& a : accesses) cells.access(a.offset, a.bytes, a.instruction, a.actor);
    return endEpoch(cells);
}

bool ordered(const Actor& a, const Actor& b) {
    if (a.block != b.block) return false;
    return a.thread == b.thread || (a.thread / 32 == b.thread / 32 && a.warpEpoch != b.warpEpoch);
}

bool conflicting(Instruction a, Instruction b) {
    const AccessKind first = cusim::kindOf(a), second = cusim::kindOf(b);
    return (first != AccessKind::Load || second != AccessKind::Load) &&
           !(first == AccessKind::Atomic && second == AccessKind::Atomic);
}

using Keys = std::set<std::tuple<std::size_t, Instruction, Instruction>>;

// Compares every access with every other one, byte by byte.
Keys expectedKeys(const std::vector<Access>& accesses, bool acrossBlocks = false) {
    Keys keys;
    for (const Access& a : accesses)
        for (const Access& b : accesses) {
            if (a.instruction > b.instruction || ordered(a.actor, b.actor)) continue;
            if (acrossBlocks && a.actor.block == b.actor.block) continue;
            if (!conflicting(a.instruction, b.instruction)) continue;
            const std::size_t end = std::min(a.offset + a.bytes, b.offset + b.bytes);
            for (std::size_t byte = std::max(a.offset, b.offset); byte < end; ++byte)
                keys.insert({byte / 4, a.instruction, b.instruction});
        }
    return keys;
}

Keys keysOf(const std::vector<Found>& all) {
    Keys keys;
    for (const Found& one : all) keys.insert(one.key());
    return keys;
}

// Tests whether the threads that a report gives as an example do race there.
bool isTrue(const Found& one, const std::vector<Access>& accesses) {
    for (const Access& a : accesses)
        for (const Access& b : accesses)
            if (a.instruction == one.first && a.actor.thread == one.firstThread &&
                b.instruction == one.second && b.actor.thread == one.secondThread &&
                !ordered(a.actor, b.actor) &&
                std::max(a.offset, b.offset) < std::min(a.offset + a.bytes, b.offset + b.bytes))
                return true;
    return false;
}

struct Shape {
    unsigned threads, instructions, warpEpochs;
    bool bytes;
    unsigned blocks = 1;
};

std::vector<Access> randomAccesses(std::mt19937& random, const Shape& shape) {
    const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
    std::vector<Access> accesses(1 + below(12));
    for (Access& a : accesses) {
        a.bytes = shape.bytes ? 1u << below(4) : 4u << below(2);
        a.offset = below(16 / static_cast<unsigned>(a.bytes)) * a.bytes;
        const unsigned number = below(shape.instructions);
        // All accesses of an instruction are of one kind.
        a.instruction = make(number, static_cast<AccessKind>(number % 3));
        a.actor = actor(below(shape.threads), 1, below(shape.warpEpochs), below(shape.blocks));
    }
    return accesses;
}

constexpr std::size_t kFarther = 5000;  // bytes, so that cells are looked for in several places

// Runs the blocks in their order, block b on host thread b % workers, each with two stretches
// between barriers.
cusim::RaceLog log(const std::vector<Access>& accesses, unsigned workers) {
    std::vector<std::unique_ptr<GlobalCells>> cells(workers);
    std::vector<std::uint32_t> epochs(workers, 0);
    std::map<std::uint32_t, std::vector<Access>> blocks;
    for (const Access& a : accesses) blocks[a.actor.block].push_back(a);
    for (const auto& [block, own] : blocks) {
        auto& here = cells[block % workers];
        if (!here) here = std::make_unique<GlobalCells>(kFarther + 64);
        for (std::size_t i = 0; i < own.size(); ++i) {
            if (i % 3 == 0) ++epochs[block % workers];
            const Access& a = own[i];
            here->access(a.offset, a.bytes, a.instruction,
                         actor(a.actor.thread, epochs[block % workers], 0, block));
        }
    }
    std::vector<const GlobalCells*> all(workers);
    std::transform(cells.begin(), cells.end(), all.begin(), [](auto& one) { return one.get(); });
    cusim::RaceLog result;
    cusim::findRacesAcrossBlocks(0, all, result);
    return result;
}

bool isTrue(const cusim::RacePair& pair, const cusim::RaceExample& one,
            const std::vector<Access>& accesses) {
    const auto touches = [&](Instruction instruction, std::uint32_t block) {
        return std::any_of(accesses.begin(), accesses.end(), [&](const Access& a) {
            return a.instruction == instruction && a.actor.block == block &&
                   a.offset <= one.offset && one.offset < a.offset + a.bytes;
        });
    };
    return one.block != one.otherBlock && touches(pair.first, one.block) &&
           touches(pair.second, one.otherBlock);
}

auto flat(const cusim::RaceLog& log) {
    std::vector<std::vector<std::uint64_t>> all;
    for (const auto& [pair, one] : log.races())
        all.push_back({pair.first, pair.second, one.count, one.block, one.otherBlock, one.offset});
    return all;
}

void compareAcrossBlocks(bool bytes) {
    std::mt19937 random(3);
    for (int round = 0; round < 400; ++round) {
        std::vector<Access> accesses = randomAccesses(random, {64, 6, 1, bytes, 6});
        for (Access& a : accesses)
            if (a.offset >= 8 && round % 2 != 0) a.offset += kFarther;
        INFO("round " << round);
        const cusim::RaceLog first = log(accesses, 1);
        std::map<std::pair<Instruction, Instruction>, std::size_t> counts, expected;
        for (const auto& [pair, one] : first.races()) {
            CHECK(pair.acrossBlocks);
            CHECK(isTrue(pair, one, accesses));
            counts[{pair.first, pair.second}] = one.count;
        }
        for (const auto& [word, one, other] : expectedKeys(accesses, true))
            ++expected[{one, other}];
        REQUIRE(counts == expected);
        for (const unsigned workers : {2, 3, 5}) {
            INFO(workers << " host threads");
            REQUIRE(flat(log(accesses, workers)) == flat(first));
        }
    }
}

}  // namespace

TEST_CASE("Races are those that a comparison of all accesses finds, in whatever order they come") {
    std::mt19937 random(1);
    for (const Shape& shape : {Shape{4, 3, 1, false}, Shape{4, 9, 1, false}, Shape{70, 4, 3, false},
                               Shape{4, 3, 1, true}, Shape{70, 6, 3, true}}) {
        // Earlier stretches between barriers leave parties in the cells, which must not matter.
        Cells used(kCellBytes);
        for (std::uint32_t round = 1; round <= 400; ++round) {
            std::vector<Access> accesses = randomAccesses(random, shape);
            const std::vector<Found> first = found(accesses);
            INFO(shape.threads << " threads, " << shape.instructions << " instructions, bytes "
                               << shape.bytes << ", round " << round);
            REQUIRE(keysOf(first) == expectedKeys(accesses));
            for (const Found& one : first) {
                INFO(one);
                REQUIRE(isTrue(one, accesses));
            }
            for (int order = 0; order < 3; ++order) {
                std::shuffle(accesses.begin(), accesses.end(), random);
                REQUIRE(found(accesses) == first);
            }
            for (Access& a : accesses) {
                a.actor.epoch = round;
                used.access(a.offset, a.bytes, a.instruction, a.actor);
            }
            REQUIRE(endEpoch(used) == first);
        }
    }
}

TEST_CASE("An element that several threads write races, one of one thread does not") {
    CHECK(found({{0, 4, store(1), actor(3)}, {0, 4, store(1), actor(5)}}) ==
          std::vector<Found>{{0, store(1), store(1), 3, 5}});
    CHECK(found({{0, 4, store(1), actor(3)}, {0, 4, store(1), actor(3)}}).empty());
    CHECK(found({{0, 4, store(1), actor(3)}, {4, 4, store(1), actor(5)}}).empty());
}

TEST_CASE("Reads race with writes, atomics with plain accesses, like with like in neither case") {
    const Actor a = actor(0), b = actor(1);
    CHECK(found({{0, 4, load(1), a}, {0, 4, load(2), b}}).empty());
    CHECK(found({{0, 4, atomic(1), a}, {0, 4, atomic(2), b}}).empty());
    CHECK(found({{0, 4, load(1), a}, {0, 4, store(2), b}}).size() == 1);
    CHECK(found({{0, 4, load(1), a}, {0, 4, atomic(2), b}}).size() == 1);
    CHECK(found({{0, 4, store(1), a}, {0, 4, atomic(2), b}}).size() == 1);
}

TEST_CASE("A wide access is found at each of its words") {
    const auto all = found({{8, 16, store(1), actor(0)}, {0, 32, load(2), actor(1)}});
    REQUIRE(all.size() == 4);
    for (std::size_t i = 0; i < 4; ++i) CHECK(all[i] == Found{2 + i, store(1), load(2), 0, 1});
}

TEST_CASE("Bytes that several threads own side by side do not race, before or after words") {
    Cells cells(kCellBytes);
    cells.access(0, 4, store(1), actor(0));
    cells.access(0, 4, load(2), actor(1));
    for (unsigned t = 0; t < 8; ++t) cells.access(8 + t, 1, store(3), actor(t));
    cells.access(16, 4, store(4), actor(5));
    cells.access(18, 2, load(5), actor(6));
    CHECK(endEpoch(cells) ==
          std::vector<Found>{{0, store(1), load(2), 0, 1}, {4, store(4), load(5), 5, 6}});
}

TEST_CASE("The byte that races is named, not the word before it") {
    Cells cells(kCellBytes);
    cells.access(6, 1, store(1), actor(0));
    cells.access(6, 1, load(2), actor(1));
    cells.access(7, 1, store(1), actor(2));
    cells.access(7, 1, load(2), actor(3));
    std::vector<std::size_t> offsets;
    cells.endEpoch([&](std::size_t offset, Instruction, Instruction, unsigned, unsigned) {
        offsets.push_back(offset);
    });
    CHECK(offsets == std::vector<std::size_t>{6});
}

TEST_CASE("A barrier orders all that went before it") {
    Cells cells(kCellBytes);
    for (std::uint32_t epoch = 1; epoch < 20; ++epoch) {
        // Five instructions: more than a cell holds.
        for (unsigned i = 0; i < 5; ++i) cells.access(0, 4, store(i), actor(epoch, epoch));
        CHECK(endEpoch(cells).empty());
    }
    cells.access(0, 4, load(7), actor(2, 20));
    cells.access(0, 4, store(1), actor(1, 20));
    CHECK(endEpoch(cells) == std::vector<Found>{{0, store(1), load(7), 1, 2}});
    CHECK(endEpoch(cells).empty());
}

TEST_CASE("A launch knows nothing of the one before it, also where that ended in the middle") {
    Cells cells(kCellBytes);
    for (unsigned t = 0; t < 4; ++t) cells.access(0, 4, store(t), actor(t, 1));
    cells.begin(2);
    cells.access(0, 4, store(1), actor(9, 2));
    CHECK(endEpoch(cells).empty());
    std::size_t visited = 0;
    cells.forEach([&](std::size_t, const std::vector<cusim::Party>& parties) {
        ++visited;
        CHECK(parties.size() == 1);
    });
    CHECK(visited == 1);
}

TEST_CASE("Races across blocks are those that a comparison of all accesses finds") {
    SECTION("of words") { compareAcrossBlocks(false); }
    SECTION("of bytes and words") { compareAcrossBlocks(true); }
}

TEST_CASE("Races across blocks are found where they lie; the rest of the memory is not looked at") {
    constexpr std::size_t kMany = std::size_t{64} << 20, kFar = kMany - 4;
    const auto pageFaults = [] {
        rusage used{};
        getrusage(RUSAGE_SELF, &used);
        return used.ru_minflt;
    };
    GlobalCells one(kMany), other(kMany);
    one.access(0, 4, store(1), actor(0, 1, 0, 0));
    one.access(kFar, 4, store(1), actor(0, 1, 0, 0));
    other.access(kFar, 4, store(1), actor(0, 1, 0, 1));
    other.access(kMany / 2, 4, store(1), actor(0, 1, 0, 1));
    const auto before = pageFaults();
    cusim::RaceLog log;
    cusim::findRacesAcrossBlocks(0, {&one, &other}, log);
    CHECK(pageFaults() - before < 100);
    REQUIRE(log.races().size() == 1);
    CHECK(log.races().begin()->second.count == 1);
    CHECK(log.races().begin()->second.offset == kFar);
}

TEST_CASE("Blocks that are one and the same do not race") {
    std::vector<Access> accesses;
    for (const unsigned thread : {0, 1, 2})
        accesses.push_back({0, 4, thread < 2 ? store(0) : load(1), actor(thread, 1, 0, 3)});
    CHECK(log(accesses, 1).races().empty());
}

TEST_CASE("The example across blocks names the block that reads and the one that writes") {
    // All blocks store, the first one reads: it does not race with itself.
    const Actor first = actor(0), second = actor(0, 1, 0, 1);
    const auto races =
        log({{0, 4, store(0), first}, {0, 4, store(0), second}, {0, 4, load(1), first}}, 1);
    bool found = false;
    for (const auto& [pair, one] : races.races()) {
        if (pair.second != load(1)) continue;
        found = true;
        CHECK(one.block == 1);
        CHECK(one.otherBlock == 0);
    }
    CHECK(found);
}
