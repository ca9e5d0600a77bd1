// Tests runs of reads against a race check that is shown each read when it is made.
#include <cstdint>
#include <random>
#include <vector>

#include "simulator/observers/read_runs.h"
#include "testing/catch.h"

namespace {

using cusim::AccessKind;
using cusim::Actor;
using cusim::Instruction;
using cusim::ReadRuns;
using cusim::ReadSite;

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
        runs.begin(loads.data(), kShared, kThreadLocals, &actor, &races);
    }

    void read(unsigned array, std::size_t offset, const void* place) {
        if (!useRuns_) return see(array, offset, place, AccessKind::Load);
        ReadSite& site = runs.sites()[ReadRuns::siteOf(place)];
        const std::uintptr_t address = kBase[array] + offset;
        if (site.goesOn(address, place)) return;
        if (site.place != place) runs.give(site, place);
        if (site.isOpen()) {
            if (ReadRuns::goOn(site, address)) return;
            runs.close(site);
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
            runs.settle(id);
            cusim::findRacesAcrossBlocks(id, {races.cells(id)}, log);
        }
        return log;
    }

    cusim::Races races;
    ReadRuns runs;
    Actor actor{0, 1, 0, 0};
    std::vector<std::uint64_t> loads = std::vector<std::uint64_t>(kArrays);
    std::vector<std::uint32_t> writtenIn = std::vector<std::uint32_t>(kArrays);

  private:
    bool useRuns_;
};

// Draws what the threads of a stretch do, alike for most of them.
class Stretch {
  public:
    explicit Stretch(std::mt19937& draw) : draw_(draw) {
        for (int i = 0; i < 3; ++i)
            loops_.push_back({1 + any(3), any(8) * 4, any(5), any(4), any(2) ? kThreads : 6,
                              int(any(5)) * 4 - 8, any(2) ? 1 : 1 + any(9), any(3) == 0});
    }
    void run(Checked& one, unsigned thread, std::mt19937 own) const {
        one.actor.thread = static_cast<std::uint16_t>(thread);
        for (unsigned number = 0; number < loops_.size(); ++number) {
            const Loop& loop = loops_[number];
            if (own() % 8 == 0) continue;
            const std::size_t word = thread % loop.wrap * loop.perThread + thread / 6 * loop.perRow;
            std::size_t at = 64 + loop.start + 4 * word;
            const unsigned reads = own() % 6 == 0 ? own() % 5 : loop.reads;
            for (unsigned i = 0; i < reads; ++i, at += static_cast<std::size_t>(loop.stride)) {
                if (own() % 40 == 0) at += 4;
                one.read(loop.array, at % kBytes, placeOf(number));
            }
            if (loop.writes && own() % 4 == 0)
                one.see(loop.array, own() % (kBytes / 4) * 4, placeOf(100 + number),
                        own() % 3 == 0 ? AccessKind::Atomic : AccessKind::Store);
        }
        one.runs.closeAll();
    }

  private:
    struct Loop {
        unsigned array;
        std::size_t start, perThread, perRow, wrap;
        int stride;
        unsigned reads;
        bool writes;
    };
    unsigned any(unsigned below) { return draw_() % below; }

    std::mt19937& draw_;
    std::vector<Loop> loops_;
};

}  // namespace

TEST_CASE("Reads in runs race and count as each read by itself") {
    unsigned raced = 0;
    for (unsigned seed = 0; seed < 600; ++seed) {
        std::mt19937 draw(seed);
        Checked each(false), inRuns(true);
        for (std::uint32_t block = 0; block < kBlocks; ++block) {
            each.actor.block = inRuns.actor.block = block;
            for (int stretch = 0; stretch < 2; ++stretch) {
                const Stretch drawn(draw);
                for (unsigned thread = 0; thread < kThreads; ++thread) {
                    const std::mt19937 own(draw());
                    drawn.run(each, thread, own);
                    drawn.run(inRuns, thread, own);
                }
                each.endEpoch();
                inRuns.endEpoch();
            }
        }
        INFO("seed " << seed);
        REQUIRE(inRuns.loads == each.loads);
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
}

TEST_CASE("A run of reads is followed to the end of its array, in any stride") {
    Checked one(true);
    const void* const place = placeOf(1);
    for (const int stride : {4, 8, 12, 20, 0, -4, -12}) {
        const std::size_t first = stride < 0 ? kBytes - 4 : 0;
        const unsigned reads = stride == 0 ? 9 : kBytes / static_cast<unsigned>(std::abs(stride));
        for (unsigned i = 0; i < reads; ++i)
            one.read(2, first + i * static_cast<std::size_t>(stride), place);
        one.runs.closeAll();
        CAPTURE(stride);
        CHECK(one.loads[2] == reads);
        one.loads[2] = 0;
    }
}
