// Tests runs of accesses against checks that are shown each access when it is made.
#include <cstdint>
#include <random>
#include <vector>

#include "simulator/observers/runs.h"
#include "testing/catch.h"

namespace {

using cusim::AccessKind;
using cusim::AccessSite;
using cusim::Actor;
using cusim::Instruction;
using cusim::Rows;
using cusim::Runs;

// Array 0 is no array, 1 a shared one, 2 and 3 are allocations 0 and 1.
constexpr std::uintptr_t kThreadLocals = 4096, kBase[] = {0, kThreadLocals, 65536, 131072};
constexpr std::size_t kArrays = 4, kShared = 2, kBytes = 512, kThreads = 24, kBlocks = 3;

const void* placeOf(unsigned number) {
    return reinterpret_cast<const void*>(cusim::instructionBase() + 64 + 8 * number);
}

// A race check, with or without runs before it.
struct Checked {
    explicit Checked(bool useRuns) : useRuns_(useRuns) {
        races.begin(kBytes, {kBytes, kBytes}, 1);
        const auto stored = [&](const Rows& rows) {
            const Actor running = actor;
            std::int64_t seen = 0;
            rows.forEach([&](std::size_t offset, std::uint32_t thread, std::uint32_t) {
                actor.thread = static_cast<std::uint16_t>(thread);
                see(rows.array, offset, rows.place, AccessKind::Store);
                ++seen;
            });
            stores[rows.array] += static_cast<std::int64_t>(rows.accesses()) - seen;
            actor = running;
        };
        runs.begin(loads.data(), kShared, kThreadLocals, &actor, &races, stored,
                   [](const Rows&) {});
    }

    void beginTurn(unsigned thread) {
        actor.thread = static_cast<std::uint16_t>(thread);
        runs.endTurn();
    }
    void access(unsigned array, std::size_t offset, const void* place, AccessKind kind) {
        if (!useRuns_) return see(array, offset, place, kind);
        AccessSite& site = runs.sites()[Runs::siteOf(place)];
        const std::uintptr_t address = kBase[array] + offset;
        if (site.isPredicted(address, place)) {
            ++predicted;
            return;
        }
        runs.renew(site);
        if (site.place != place) runs.give(site, place, kind == AccessKind::Store);
        if (site.used() > 0) {
            if (runs.continueRun(site, address)) return;
            runs.endRun(site);
        }
        if (!site.inArray(address)) {
            runs.endRow(site);
            site.low = kBase[array];
            site.bytes = kBytes;
            site.array = array;
        }
        runs.begin(site, address);
    }
    void see(unsigned array, std::size_t offset, const void* place, AccessKind kind) {
        const Instruction instruction = cusim::instructionOf(place, kind, cusim::instructionBase());
        if (kind == AccessKind::Load)
            ++loads[array];
        else
            writtenIn[array] = actor.epoch;
        if (kind == AccessKind::Store) ++stores[array];
        if (array < kShared)
            races.onShared(offset, 4, instruction, actor);
        else
            races.onGlobal(array - kShared, offset, 4, instruction, actor);
    }
    void endEpoch() {
        runs.endEpoch([&](std::size_t array) { return writtenIn[array] == actor.epoch; });
        static const std::vector<std::uint16_t> owner(kBytes, 1);
        races.endEpoch(actor.block, owner.data(), {0, 0});
        ++actor.epoch;
    }
    cusim::RaceLog races_of() {
        cusim::RaceLog log = races.log();
        for (std::uint32_t id = 0; id < 2; ++id) {
            if (writtenIn[kShared + id] == 0) continue;
            runs.flush(id);
            cusim::findRacesAcrossBlocks(id, {races.cells(id)}, log);
        }
        return log;
    }

    cusim::Races races;
    Runs runs;
    Actor actor{0, 1, 0, 0};
    std::uint64_t predicted = 0;
    std::vector<std::uint64_t> loads = std::vector<std::uint64_t>(kArrays);
    std::vector<std::int64_t> stores = std::vector<std::int64_t>(kArrays);
    std::vector<std::uint32_t> writtenIn = std::vector<std::uint32_t>(kArrays);

  private:
    bool useRuns_;
};

// Draws what the threads of an epoch do, alike for most of them.
class Stretch {
  public:
    explicit Stretch(std::mt19937& draw) : draw_(draw) {
        for (int i = 0; i < 4; ++i)
            loops_.push_back({1 + any(3), any(8) * 4, any(5), any(4), any(2) ? kThreads : 6,
                              int(any(5)) * 4 - 8, any(2) ? 1 : 1 + any(9), any(9) == 0,
                              any(12) == 0 ? AccessKind::Store : AccessKind::Load,
                              any(4) == 0 ? 2 : 1u, any(5) == 0 ? 2u : 40u});
    }
    void run(Checked& one, unsigned thread, std::mt19937 own) const {
        one.beginTurn(thread);
        for (unsigned number = 0; number < loops_.size(); ++number) {
            const Loop& loop = loops_[number];
            if (own() % loop.skips == 0 || thread % loop.every != 0) continue;
            const std::size_t word = thread % loop.wrap * loop.perThread + thread / 6 * loop.perRow;
            std::size_t at = 64 + loop.start + 4 * word;
            const unsigned reads = own() % 6 == 0 ? own() % 5 : loop.reads;
            for (unsigned i = 0; i < reads; ++i, at += static_cast<std::size_t>(loop.stride)) {
                if (own() % 40 == 0) at += 4;
                const unsigned place = number + (loop.kind == AccessKind::Store ? 10 : 0);
                one.access(loop.array, at % kBytes, placeOf(place), loop.kind);
            }
            if (loop.writes && own() % 4 == 0)
                one.see(loop.array, own() % (kBytes / 4) * 4, placeOf(100 + number),
                        own() % 3 == 0 ? AccessKind::Atomic : AccessKind::Store);
            if (own() % 50 == 0) one.runs.flushStores();
        }
    }

  private:
    struct Loop {
        unsigned array;
        std::size_t start, perThread, perRow, wrap;
        int stride;
        unsigned reads;
        bool writes;
        AccessKind kind;
        unsigned every, skips;
    };
    unsigned any(unsigned below) { return draw_() % below; }

    std::mt19937& draw_;
    std::vector<Loop> loops_;
};

// Returns what the threads do in their order, or in the opposite one.
unsigned turnOf(unsigned seed, unsigned thread) {
    return seed % 3 == 0 ? kThreads - 1 - thread : thread;
}

}  // namespace

TEST_CASE("Accesses in runs race and count as each access by itself") {
    unsigned raced = 0;
    std::uint64_t predicted = 0;
    for (unsigned seed = 0; seed < 600; ++seed) {
        std::mt19937 draw(seed);
        Checked each(false), inRuns(true);
        for (std::uint32_t block = 0; block < kBlocks; ++block) {
            each.actor.block = inRuns.actor.block = block;
            for (int stretch = 0; stretch < 2; ++stretch) {
                const Stretch drawn(draw);
                for (unsigned thread = 0; thread < kThreads; ++thread) {
                    const std::mt19937 own(draw());
                    drawn.run(each, turnOf(seed, thread), own);
                    drawn.run(inRuns, turnOf(seed, thread), own);
                }
                each.endEpoch();
                inRuns.endEpoch();
            }
        }
        predicted += inRuns.predicted;
        INFO("seed " << seed);
        REQUIRE(inRuns.loads == each.loads);
        REQUIRE(inRuns.stores == each.stores);
        const auto expected = each.races_of(), found = inRuns.races_of();
        raced += !expected.races().empty();
        REQUIRE(found.races().size() == expected.races().size());
        for (auto a = expected.races().begin(), b = found.races().begin();
             a != expected.races().end(); ++a, ++b) {
            REQUIRE((!(a->first < b->first) && !(b->first < a->first)));
            REQUIRE(a->second.count == b->second.count);
            REQUIRE((!a->second.before(b->second) && !b->second.before(a->second)));
        }
    }
    CHECK(raced > 100);
    CHECK(raced < 600);
    CHECK(predicted > 100000);
}

TEST_CASE(
    "The run of the next thread is predicted, and what stores did so is reported when asked for") {
    Checked one(true);
    const void* const load = placeOf(1);
    const void* const store = placeOf(2);
    const auto turn = [&](unsigned thread) {
        one.beginTurn(thread);
        for (unsigned i = 0; i < 4; ++i) one.access(2, 64 * i + 4 * thread, load, AccessKind::Load);
        one.access(1, 4 * thread, store, AccessKind::Store);
    };
    for (unsigned thread = 0; thread < 3; ++thread) turn(thread);
    const std::uint64_t before = one.predicted;
    for (unsigned thread = 3; thread < 10; ++thread) turn(thread);
    CHECK(one.predicted == before + std::uint64_t{7} * 5);
    CHECK(one.stores[1] == 0);
    one.runs.flushStores();
    CHECK(one.stores[1] == 10);
    CHECK(one.loads[2] == 0);
    one.endEpoch();
    CHECK(one.loads[2] == 40);
}

TEST_CASE("A run of reads is followed to the end of its array, in any stride") {
    Checked one(true);
    const void* const place = placeOf(1);
    for (const int stride : {4, 8, 12, 20, 0, -4, -12}) {
        const std::size_t first = stride < 0 ? kBytes - 4 : 0;
        const unsigned reads = stride == 0 ? 9 : kBytes / static_cast<unsigned>(std::abs(stride));
        for (unsigned i = 0; i < reads; ++i)
            one.access(2, first + i * static_cast<std::size_t>(stride), place, AccessKind::Load);
        one.runs.endRows();
        CAPTURE(stride);
        CHECK(one.loads[2] == reads);
        one.loads[2] = 0;
    }
}

TEST_CASE("No run is predicted past the end of its array") {
    for (const int runStride : {4, 8, 60, 256, -4, -40}) {
        Checked one(true);
        const void* const place = placeOf(1);
        const std::size_t first = runStride < 0 ? kBytes - 16 : 0;
        for (unsigned thread = 0; thread < kBytes / 4; ++thread) {
            const std::size_t at = first + thread * static_cast<std::size_t>(runStride);
            if (at > kBytes - 16) break;
            one.beginTurn(thread);
            for (unsigned i = 0; i < 4; ++i)
                one.access(2, at + std::size_t{4} * i, place, AccessKind::Load);
        }
        one.beginTurn(0);
        CAPTURE(runStride);
        CHECK(one.runs.sites()[Runs::siteOf(place)].next == AccessSite::kClosed);
    }
}
