// The model by which rung 14 chooses: the time that each choice of tiles would take.
#pragma once
#include <algorithm>
#include <limits>

#include "ladder.h"
#include "variant.h"

// Microseconds of a phase on an H200: of a single block on its SM, and of as many blocks as fit. On
// another card, only their ratios count.
struct PhaseCost {
    double alone, full;
};
constexpr PhaseCost kPhaseCosts[kVariants] = {
    {2.60, 2.60},  {2.70, 2.70},  {2.41, 2.95},   {0.759, 2.07}, {0.864, 2.29}, {0.481, 1.88},
    {0.838, 2.13}, {0.486, 1.77}, {0.309, 1.114}, {0.870, 2.52}, {0.673, 2.03}, {0.194, 1.236}};
// Microseconds: to launch; to begin a tile, and to store it, for each float; to synchronize the
// blocks of a tile, and for each part of it; for each float that a block stores and loads in parts;
// for a column more if N is copied in single floats; to begin a copy of N with aligned rows, and
// for each of its floats.
constexpr double kLaunch = 0.98, kTile = 2.86, kStore = 8.33e-5, kMeet = 2.33, kPart = 0.0259,
                 kFloat = 1.25e-4, kSingle = 1.19e-3, kCopy = 2.59, kCopied = 1.91e-6;

struct Choice {
    int variant, blocks, shared, sharers;
    double microseconds;
    bool singles;  // N is copied in single floats
};

// A product on this device with one shape of tiles.
struct Plan {
    int sms, fit, tiles, phases;
    double alone, full, tileFloats, copy;
    bool singles;  // N is copied in single floats

    // Returns the time of a phase with so many blocks on an SM.
    double phase(int blocks) const {
        double together = full * blocks / fit;
        return together > alone ? together : alone;
    }
    int onBusiest(int blocks) const { return blocksFor(blocks, sms); }

    // Whole tiles take turns: in the last wave, fewer blocks may share an SM.
    double wholeTiles(int count, int blocks) const {
        if (count == 0) return 0;
        int before = blocksFor(count, blocks) - 1, last = count - before * blocks;
        double waves = before * phase(onBusiest(blocks)) + phase(onBusiest(last));
        return waves * phases + (before + 1) * (kTile + kStore * tileFloats);
    }
    double sharedTiles(int shared, int sharers) const {
        if (shared == 0) return 0;
        int each = (shared * phases + sharers - 1) / sharers, blocks = onBusiest(sharers);
        double begin = (sharers % shared ? 2 : 1) * (kTile + kStore * tileFloats);
        double parts = 1.0 * sharers / shared;
        return each * phase(blocks) + begin + kMeet + kPart * parts + kFloat * blocks * tileFloats;
    }
};

inline void consider(Choice& best, int variant, const Plan& plan, int shared, int sharers) {
    int most = plan.sms * plan.fit, blocks = shared > 0 ? sharers : std::min(plan.tiles, most);
    if (blocks < 1 || blocks > most || (shared > 0 && shared * plan.phases < sharers)) return;
    double time = kLaunch + plan.copy + plan.sharedTiles(shared, sharers) +
                  plan.wholeTiles(plan.tiles - shared, blocks);
    if (time < best.microseconds) best = {variant, blocks, shared, sharers, time, plan.singles};
}

// Considers all ways to deal the tiles of a plan to blocks.
inline void considerAll(Choice& best, int variant, const Plan& plan) {
    int most = plan.sms * plan.fit;
    if (most == 0) return;
    int rest = plan.tiles % most;
    consider(best, variant, plan, 0, 0);
    if (plan.tiles > most && rest > 0) {
        consider(best, variant, plan, rest, most);
        consider(best, variant, plan, rest + most, most);
    }
    if (plan.tiles > most) return;
    for (int blocks = 1; blocks <= plan.fit; ++blocks)
        consider(best, variant, plan, plan.tiles, blocks * plan.sms);
    for (int parts = 2; parts * plan.tiles <= most; ++parts)
        consider(best, variant, plan, plan.tiles, parts * plan.tiles);
}

// The tiles of a variant, and how many blocks of it fit an SM.
struct Tiles {
    int rows, cols, depth, fit;
};
// Those that copy four floats of N at once, and those that copy single ones.
struct AllTiles {
    Tiles quads[kVariants], singles[kVariants];
};

// Returns the fastest by the model; variant is -1 if no shape fits the device. If rows of N
// are not aligned, the blocks copy single floats, or a copy of N is made whose rows are.
inline Choice choose(const AllTiles& all, int sms, bool aligned, int j, int k, int l) {
    Choice best = {-1, 0, 0, 0, std::numeric_limits<double>::infinity(), false};
    for (bool singles : {false, true}) {
        if (aligned && singles) break;
        double copy = aligned || singles ? 0 : kCopy + kCopied * k * l;
        for (int v = 0; v < kVariants; ++v) {
            const auto& [rows, cols, depth, fit] = (singles ? all.singles : all.quads)[v];
            double more = singles ? kSingle * cols : 0;
            considerAll(best, v,
                        {sms, fit, blocksFor(j, rows) * blocksFor(l, cols), blocksFor(k, depth),
                         kPhaseCosts[v].alone + more, kPhaseCosts[v].full + fit * more,
                         1.0 * rows * cols, copy, singles});
        }
    }
    return best;
}

// Returns the rung for shapes that these tiles, so many numbers deep, do not serve; else nullptr.
inline const Rung* otherRung(int depth, int sms, bool aligned, int j, int k, int l) {
    if (j <= 4 || l <= 4) return &fewRows;
    if (k > depth) return nullptr;
    // With so little work per element of P, only its store counts.
    bool fills = blocksFor(j, 128) * blocksFor(l, 128) >= sms;
    return aligned ? &asyncCopies : fills ? &fewRows : &registerTile1d;
}
