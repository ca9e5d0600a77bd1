#include "random_programs.h"

#include <algorithm>
#include <random>

#include "memory_model.h"

namespace random_kernel {

namespace {

std::size_t indexOf(int actor, int step) { return static_cast<std::size_t>(actor * kSteps + step); }

bool takesPart(int actor, int what) {
    const int thread = kActing[actor % kActors];
    return what == SyncWarp ? thread < 32 : thread < 16;
}

// Draws a program, step by step.
class Draw {
  public:
    explicit Draw(unsigned seed) : random_(seed) {
        // Each kind has its own weight, so that kernels differ in what they do.
        for (int what = LoadShared; what < kAlone; ++what)
            choice_.insert(choice_.end(), static_cast<std::size_t>(below(4)), what);
        choice_.push_back(StoreGlobal);
    }

    int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

    // Returns what all of a block do together, or Nothing.
    int meeting() {
        constexpr int kMeets[] = {Barrier,  SyncWarp, SyncHalf,     SyncBlock,
                                  SyncTile, Shuffle,  BarrierObject};
        const int meets = below(15);
        return meets < 7 ? kMeets[meets] : Nothing;
    }

    int one(int actor, int step) {
        Step now = {below(2) == 0 ? int{Nothing} : choice_[random_() % choice_.size()],
                    below(kPlaces), value_++};
        if (now.what == HandExchange || now.what == HandRelease) {
            now.place = static_cast<int>(hands_.size());
            if (now.place == kHands)
                now.what = Nothing;
            else
                hands_.push_back({actor, step});
        }
        if (now.what == AwaitAcquire || now.what == AwaitVolatile) await(now, actor, step);
        return now.code();
    }
    // Takes back what was drawn last.
    void drop(int code) {
        const int what = Step::of(code).what;
        if (what == HandExchange || what == HandRelease) hands_.pop_back();
    }

  private:
    struct Hand {
        int actor, step;
    };

    // Chooses a hand that another thread has set at a step before: so some thread can go on,
    // always.
    void await(Step& now, int actor, int step) {
        std::vector<int> set;
        for (std::size_t hand = 0; hand < hands_.size(); ++hand)
            if (hands_[hand].step < step && hands_[hand].actor != actor)
                set.push_back(static_cast<int>(hand));
        if (set.empty())
            now.what = Nothing;
        else
            now.place = set[random_() % set.size()];
    }

    std::mt19937 random_;
    std::vector<int> choice_;
    std::vector<Hand> hands_;
    int value_ = 2;
};

Program drawn(unsigned seed, bool determined) {
    Draw draw(seed);
    Program program(indexOf(kBlocks * kActors, 0));
    for (int b = 0; b < kBlocks; ++b)
        for (int step = 0; step < kSteps; ++step) {
            const int all = draw.meeting();
            for (int actor = b * kActors; actor < (b + 1) * kActors; ++actor) {
                int& code = program[indexOf(actor, step)] = all;
                for (int tries = 0; tries < 4 && all == Nothing && code == Nothing; ++tries) {
                    code = draw.one(actor, step);
                    if (!determined) break;
                    if (Model(listOf(program), true).isDetermined()) continue;
                    draw.drop(code);
                    code = Nothing;
                }
            }
        }
    return program;
}

}  // namespace

Program randomProgram(unsigned seed) { return drawn(seed, false); }
Program determinedProgram(unsigned seed) { return drawn(seed, true); }

std::vector<NotedStep> listOf(const Program& program) {
    std::vector<NotedStep> list;
    for (int step = 0; step < kSteps; ++step)
        for (int actor = 0; actor < kBlocks * kActors; ++actor) {
            const Step now = Step::of(program[indexOf(actor, step)]);
            int what = now.what;
            if (what == SyncBlock) what = Barrier;
            if (what == SyncTile) what = SyncHalf;
            if (what == Nothing || what == Shuffle) continue;
            if ((what == SyncWarp || what == SyncHalf) && !takesPart(actor, what)) continue;
            if (what == HandExchange) list.push_back({actor, Fence, 0});
            list.push_back({actor, what, what < kAlone ? now.place : 0});
            if (what == AwaitVolatile) list.push_back({actor, Fence, 0});
        }
    return list;
}

Values valuesOf(const Program& program) {
    Values left = {
        std::vector<int>(kPlaces), std::vector<int>(kPlaces), std::vector<int>(kPlaces), {}};
    unsigned sums[kBlocks][kThreads] = {};
    int shared[kBlocks][kPlaces] = {};
    for (int step = 0; step < kSteps; ++step)
        for (int actor = 0; actor < kBlocks * kActors; ++actor) {
            const Step now = Step::of(program[indexOf(actor, step)]);
            const int b = actor / kActors, place = now.place;
            unsigned& sum = sums[b][kActing[actor % kActors]];
            const auto add = [&](int value) { sum = 3 * sum + static_cast<unsigned>(value); };
            switch (now.what) {
                case LoadShared:
                    add(shared[b][place]);
                    break;
                case StoreShared:
                    shared[b][place] = now.value;
                    break;
                case LoadGlobal:
                    add(left.g[place]);
                    break;
                case StoreGlobal:
                    left.g[place] = now.value;
                    break;
                case StoreSame:
                    left.same[place] = 1;
                    break;
                case LoadSame:
                    add(left.same[place]);
                    break;
                case LoadFlag:
                case LoadVolatile:
                case LoadAcquire:
                    add(left.f[place]);
                    break;
                case Add:
                    left.f[place] += now.value;
                    break;
                case StoreVolatile:
                case Exchange:
                case StoreRelease:
                case CompareAndSwap:
                    left.f[place] = now.value;
                    break;
                case Copy:
                case CopyBound:
                    shared[b][place] = left.g[place];
                    break;
                case Shuffle: {
                    if (actor % kActors) break;
                    unsigned before[kThreads];
                    std::copy_n(sums[b], kThreads, before);
                    for (int t = 0; t < kThreads; ++t) sums[b][t] += before[t ^ 5];
                    break;
                }
            }
        }
    for (int actor = 0; actor < kBlocks * kActors; ++actor)
        left.sink.push_back(static_cast<int>(sums[actor / kActors][kActing[actor % kActors]]));
    return left;
}

}  // namespace random_kernel
