// Compares what is found in random kernels with CUDA's memory model as this file states it: over
// the list of what the threads did, with sets of events and no clocks. CUSIM_KERNELS: how many, or
// which ones, as 3748-3750.
#include <cooperative_groups.h>

#include <bitset>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "chosen_options.h"
#include "findings_text.h"
#include "noted_steps.h"
#include "on_device.h"

namespace {

namespace groups = cooperative_groups;

constexpr int kBlocks = 2, kThreads = 64, kSteps = 14;
// These threads act, the others only come to barriers. Two of them are of one half of a warp, a
// third one is of its other half.
constexpr int kActing[] = {0, 5, 20, 40}, kActors = 4, kPlaces = 2;

enum What {
    Nothing,
    LoadShared,
    StoreShared,
    LoadGlobal,
    StoreGlobal,
    StoreSame,
    LoadSame,
    LoadFlag,  // plain
    LoadVolatile,
    StoreVolatile,
    Add,
    Exchange,
    LoadAcquire,
    StoreRelease,
    CompareAndSwap,  // the guide's loop
    Fence,
    FenceOfBlock,
    Barrier,
    SyncWarp,
    SyncHalf,
    SyncBlock,  // of a group, as a barrier
    SyncTile,   // of a group, as __syncwarp of a half
    Shuffle,    // which orders nothing
    kWhats
};
const char* const kNames[kWhats] = {"nothing",
                                    "load s",
                                    "store s",
                                    "load g",
                                    "store g",
                                    "store same",
                                    "load same",
                                    "load f",
                                    "volatile load f",
                                    "volatile store f",
                                    "add f",
                                    "exchange f",
                                    "load-acquire f",
                                    "store-release f",
                                    "compare-and-swap f",
                                    "fence",
                                    "fence of the block",
                                    "barrier",
                                    "__syncwarp",
                                    "__syncwarp of a half",
                                    "block.sync",
                                    "tile.sync",
                                    "shuffle"};

static_assert(kBlocks * kActors * kSteps <= kMostSteps / 3);
NotedStep* const done = notedSteps;
int& doneCount = notedCount;
using Done = NotedStep;

// Keeps the list of the run that is judged: a launch in which a race is suspected runs twice, and
// some once more in the opposite order.
void keepLastRun(const std::vector<int>& program) {
    int each = 0;
    for (std::size_t i = 0; i < program.size(); ++i) {
        const int what = program[i] % 100, thread = kActing[i / kSteps % kActors];
        each += what != Nothing && what != Shuffle && !(what == SyncWarp && thread >= 32) &&
                !((what == SyncHalf || what == SyncTile) && thread >= 16);
    }
    const int last = doneCount == 3 * each ? each : doneCount - each;
    for (int i = 0; i < each; ++i) done[i] = done[last + i];
    doneCount = each;
}

__global__ void randomKernel(const int* program, int* g, int* same, int* f, int* sink) {
    __shared__ int s[kPlaces];
    const int t = threadIdx.x, b = blockIdx.x;
    int actor = -1;
    for (int a = 0; a < kActors; ++a)
        if (t == kActing[a]) actor = b * kActors + a;
    int sum = 0;
    for (int step = 0; step < kSteps; ++step) {
        const int own = actor < 0 ? b * kActors : actor;
        const int code = program[own * kSteps + step];
        const int what = code % 100, place = code / 100 % 10, value = code / 1000;
        if (what == Barrier || what == SyncBlock) {
            noteStep(actor, Barrier, 0);
            if (what == SyncBlock)
                groups::this_thread_block().sync();
            else
                __syncthreads();
        } else if (what == SyncWarp && t < 32) {
            noteStep(actor, what, 0);
            __syncwarp();
        } else if ((what == SyncHalf || what == SyncTile) && t < 16) {
            noteStep(actor, SyncHalf, 0);
            if (what == SyncTile)
                groups::tiled_partition<16>(groups::this_thread_block()).sync();
            else
                __syncwarp(0xffff);
        } else if (what == Shuffle) {
            sum += __shfl_xor_sync(0xffffffff, sum, 5);
        }
        if (actor < 0 || what >= Barrier) continue;
        if (what != Nothing) noteStep(actor, what, place);
        auto* const flag = f + place;
        if (what == LoadShared) sum += s[place];
        if (what == StoreShared) s[place] = value;
        if (what == LoadGlobal) sum += g[place];
        if (what == StoreGlobal) g[place] = value;
        if (what == StoreSame) same[place] = 1;
        if (what == LoadSame) sum += same[place];
        if (what == LoadFlag) sum += f[place];
        if (what == LoadVolatile) sum += *static_cast<volatile int*>(flag);
        if (what == StoreVolatile) *static_cast<volatile int*>(flag) = value;
        if (what == Add) atomicAdd(flag, value);
        if (what == Exchange) atomicExch(flag, value);
        if (what == LoadAcquire) sum += __atomic_load_n(flag, __ATOMIC_ACQUIRE);
        if (what == StoreRelease) __atomic_store_n(flag, value, __ATOMIC_RELEASE);
        if (what == CompareAndSwap) {
            int old = *flag, assumed;
            do {
                assumed = old;
                old = atomicCAS(flag, assumed, value);
            } while (old != assumed);
        }
        if (what == Fence) __threadfence();
        if (what == FenceOfBlock) __threadfence_block();
    }
    if (actor >= 0) sink[actor] = sum;
}

// The grave one last.
enum Verdict { Clean, Remark, Race };

using Events = std::bitset<kBlocks * kActors * kSteps>;

class Model {
  public:
    Model() {
        for (int i = 0; i < doneCount; ++i) step(i, done[i]);
    }
    Verdict of(char array) const {
        Verdict worst = Clean;
        for (std::size_t b = 0; b < all_.size(); ++b)
            for (std::size_t a = 0; a < b; ++a)
                if (all_[a].array == array && !isReadBefore(a, b))
                    worst = std::max(worst, between(all_[a], all_[b]));
        return worst;
    }

  private:
    struct Event {
        int index, actor, place;
        char array;
        bool reads, writes, atomic, strong, guess;
        int fenced;  // a store behind a fence: 1 of the block, 2 of the device
        Events before, weakly;
    };
    struct Actor {
        Events knows, weakly, released[2];
        int fenced = 0;
    };
    struct Flag {
        Events all, ofBlock[kBlocks];
    };

    static int blockOf(int actor) { return actor / kActors; }

    void access(int i, const Done& d, char array, bool reads, bool writes, bool atomic = false,
                bool strong = false, bool releases = false, bool guess = false) {
        const Actor& actor = actors_[d.actor];
        const int place = d.place + (array == 's' ? 10 * blockOf(d.actor) : 0);
        const int fenced = releases ? 2 : std::max(actor.fenced, blocks_[blockOf(d.actor)].fenced);
        all_.push_back({i, d.actor, place, array, reads, writes, atomic, strong || atomic, guess,
                        fenced, actor.knows, actor.weakly});
    }

    void strong(int i, const Done& d, bool reads, bool writes, bool atomic, bool acquires = false,
                bool releases = false) {
        Actor& actor = actors_[d.actor];
        const int b = blockOf(d.actor);
        Flag& flag = flags_[d.place];
        if (reads) (acquires ? actor.knows : actor.weakly) |= flag.all | flag.ofBlock[b];
        access(i, d, 'f', reads, writes, atomic, true, releases);
        actor.knows.set(i);
        if (!writes) return;
        if (!reads) flag = {};
        flag.all |= actor.released[1] | blocks_[b].released[1];
        flag.ofBlock[b] |= actor.released[0] | blocks_[b].released[0];
        if (releases) flag.all |= actor.knows & ~Events().set(i);
    }

    void meet(const std::vector<int>& who) {
        Events all;
        for (const int one : who) all |= actors_[one].knows | actors_[one].weakly;
        for (const int one : who) {
            actors_[one].knows = all;
            actors_[one].weakly.reset();
        }
    }

    // The last one who comes lets all go on.
    void arrive(int i, const Done& d) {
        actors_[d.actor].knows.set(i);
        std::vector<int>& waiting = waiting_[blockOf(d.actor)][d.what];
        waiting.push_back(d.actor);
        const std::size_t wanted = d.what == Barrier ? kActors : d.what == SyncWarp ? 3 : 2;
        if (waiting.size() < wanted) return;
        meet(waiting);
        Actor& block = blocks_[blockOf(d.actor)];
        for (const int one : waiting) {
            if (d.what != Barrier) break;
            block.fenced = std::max(block.fenced, actors_[one].fenced);
            for (int scope = 0; scope < 2; ++scope) {
                block.released[scope] |= actors_[one].released[scope];
                actors_[one].released[scope].reset();
            }
        }
        waiting.clear();
    }

    void step(int i, const Done& d) {
        Actor& actor = actors_[d.actor];
        switch (d.what) {
            case LoadShared:
            case StoreShared:
                access(i, d, 's', d.what == LoadShared, d.what == StoreShared);
                break;
            case LoadGlobal:
            case StoreGlobal:
                access(i, d, 'g', d.what == LoadGlobal, d.what == StoreGlobal);
                break;
            case LoadSame:
            case StoreSame:
                access(i, d, 'e', d.what == LoadSame, d.what == StoreSame);
                break;
            case LoadFlag:
                access(i, d, 'f', true, false);
                break;
            case CompareAndSwap:
                access(i, d, 'f', true, false, false, false, false, true);
                return strong(i, d, true, true, true);
            case LoadVolatile:
            case StoreVolatile:
                return strong(i, d, d.what == LoadVolatile, d.what == StoreVolatile, false);
            case Add:
            case Exchange:
                return strong(i, d, true, true, true);
            case LoadAcquire:
                return strong(i, d, true, false, true, true);
            case StoreRelease:
                return strong(i, d, false, true, true, false, true);
            case Fence:
            case FenceOfBlock:
                actor.knows |= actor.weakly;
                actor.weakly.reset();
                actor.fenced = std::max(actor.fenced, d.what == Fence ? 2 : 1);
                actor.released[0] = actor.knows;
                if (d.what == Fence) actor.released[1] = actor.knows;
                break;
            case Barrier:
            case SyncWarp:
            case SyncHalf:
                return arrive(i, d);
        }
        actor.knows.set(i);
    }

    // Tests for an atomic that another one has read before b: who comes behind that one comes
    // behind both.
    bool isReadBefore(std::size_t a, std::size_t b) const {
        const Event& first = all_[a];
        for (std::size_t c = a + 1; c < b && first.atomic; ++c) {
            const Event& next = all_[c];
            if (next.array == first.array && next.place == first.place && next.atomic &&
                next.reads && next.writes && next.actor != first.actor &&
                first.fenced >= next.fenced)
                return true;
        }
        return false;
    }

    static Verdict between(const Event& a, const Event& b) {
        if (a.array != b.array || a.place != b.place || a.actor == b.actor) return Clean;
        if (!a.writes && !b.writes) return Clean;
        if ((a.atomic && b.atomic) || b.before[a.index]) return Clean;
        if (a.strong && b.strong && b.weakly[a.index]) return Clean;
        const int fence = blockOf(a.actor) == blockOf(b.actor) ? 1 : 2;
        const auto ready = [&](const Event& e) { return !e.writes || e.fenced >= fence; };
        if (a.strong && b.strong && ready(a) && ready(b)) return Clean;
        if ((a.atomic && b.guess) || (b.atomic && a.guess)) return Clean;
        if (b.weakly[a.index]) return Remark;
        return a.array == 'e' && a.writes && b.writes ? Remark : Race;
    }

    std::vector<Event> all_;
    Actor actors_[kBlocks * kActors], blocks_[kBlocks];
    Flag flags_[kPlaces];
    std::vector<int> waiting_[kBlocks][kWhats];
};

std::vector<int> randomProgram(unsigned seed) {
    std::mt19937 random(seed);
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    // Of each kind a weight of its own, so that kernels differ in what they do.
    std::vector<int> choice;
    for (int what = LoadShared; what < Barrier; ++what)
        choice.insert(choice.end(), static_cast<std::size_t>(below(4)), what);
    choice.push_back(StoreGlobal);
    std::vector<int> program(kBlocks * kActors * kSteps);
    int value = 2;
    for (int b = 0; b < kBlocks; ++b)
        for (int step = 0; step < kSteps; ++step) {
            constexpr int kMeets[] = {Barrier, SyncWarp, SyncHalf, SyncBlock, SyncTile, Shuffle};
            const int meets = below(13);
            const int all = meets < 6 ? kMeets[meets] : Nothing;
            for (int a = 0; a < kActors; ++a) {
                const bool idle = below(2) == 0;
                const int what = all ? all : idle ? Nothing : choice[random() % choice.size()];
                program[static_cast<std::size_t>((b * kActors + a) * kSteps + step)] =
                    what + 100 * below(kPlaces) + 1000 * value++;
            }
        }
    return program;
}

Verdict found(const std::string& array) {
    Verdict worst = Clean;
    for (const cusim::Finding& finding : cusim::findings())
        if (holds(finding.title, "race on " + array + ":") ||
            holds(finding.title, "race on " + array + " "))
            worst = std::max(worst, finding.remark ? Remark : Race);
    return worst;
}

std::string listing() {
    std::string text;
    for (int i = 0; i < doneCount; ++i)
        text += cusim::joined("  block ", done[i].actor / kActors, " thread ",
                              kActing[done[i].actor % kActors], ": ", kNames[done[i].what], "[",
                              done[i].place, "]\n");
    return text;
}

}  // namespace

TEST_CASE("Random kernels race where the memory model says so, and nowhere else") {
    const ChosenOptions chosen(1);
    const char* const given = std::getenv("CUSIM_KERNELS");
    unsigned first = 0, kernels = 60, verdicts[3] = {};
    if (given && std::sscanf(given, "%u-%u", &first, &kernels) == 1) kernels = first, first = 0;
    for (unsigned seed = first; seed < kernels; ++seed) {
        cusim::reset();
        cusim::options().tolerant = true;
        cusim::options().unset = false;
        cusim::options().schedule = seed % 2 ? "random:" + std::to_string(seed) : "forward";
        const std::vector<int> codes = randomProgram(seed);
        const OnDevice<int> program(codes), sink(kBlocks * kActors);
        int *g = nullptr, *same = nullptr, *f = nullptr;
        cudaMalloc(&g, kPlaces * sizeof(int));
        cudaMalloc(&same, kPlaces * sizeof(int));
        cudaMalloc(&f, kPlaces * sizeof(int));
        doneCount = 0;
        randomKernel<<<kBlocks, kThreads>>>(program, g, same, f, sink);
        keepLastRun(codes);
        INFO("seed " << seed << "\n" << listing() << allFindings());
        const Model model;
        for (const auto& [name, array] : {std::pair{"g", 'g'}, {"s", 's'}, {"f", 'f'}}) {
            INFO(name);
            ++verdicts[model.of(array)];
            REQUIRE(found(name) == model.of(array));
        }
        const Verdict ofSame = model.of('e');
        REQUIRE((found("same") == Clean) == (ofSame == Clean));
        REQUIRE(found("same") <= ofSame);
    }
    for (const unsigned count : verdicts) CHECK((count > 0 || kernels - first < 1000));
}
