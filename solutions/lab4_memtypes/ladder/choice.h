// The model by which rung 14 chooses: the time that each choice of tiles would take.
#pragma once
#include <algorithm>
#include <limits>

#include "ladder.h"
#include "variant.h"

// Microseconds that a phase takes on an H200: of a block alone on its SM, and of as many blocks as
// fit it together. On another card, their ratios are what counts.
struct PhaseCost {
    double alone, full;
};
constexpr PhaseCost kPhaseCosts[kVariants] = {
    {2.30, 2.55},  {2.40, 2.69},  {2.39, 2.85},   {0.70, 1.95},  {0.80, 1.95},  {0.404, 1.48},
    {0.808, 2.13}, {0.434, 1.60}, {0.352, 0.926}, {0.705, 1.96}, {0.574, 1.67}, {0.265, 1.01}};
// Microseconds: to begin a tile, and to store it, for each float; to meet the blocks of a tile, and
// for each part of it; for each float that a block stores and loads in parts; for a column more
// where N is copied in single floats, in small tiles and in large ones.
constexpr double kTile = 2.2, kStore = 9.6e-5, kMeet = 4.3, kPart = 0.021, kFloat = 9.7e-5;
constexpr double kSingle = 2.9e-3, kSingleLarge = 4e-3, kLargeTile = 128 * 128;

// Parts of a power of two begin at columns of M that share a channel of the memory: chosen only
// where they are worth more than that.
constexpr double kEven = 1.03;

struct Choice {
    int variant, blocks, shared, sharers;
    double microseconds;
};

// A product on this device with one shape of tiles.
struct Plan {
    int sms, fit, tiles, phases;
    double alone, full, tileFloats;

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

inline void consider(Choice& best, int variant, const Plan& plan, int shared, int sharers,
                     double handicap = 1) {
    int most = plan.sms * plan.fit, blocks = shared > 0 ? sharers : std::min(plan.tiles, most);
    if (blocks < 1 || blocks > most || (shared > 0 && shared * plan.phases < sharers)) return;
    double time = plan.sharedTiles(shared, sharers) + plan.wholeTiles(plan.tiles - shared, blocks);
    time *= handicap;
    if (time < best.microseconds) best = {variant, blocks, shared, sharers, time};
}

// The tiles of a variant, and how many blocks of it fit an SM.
struct Tiles {
    int rows, cols, depth, fit;
};

// Returns the fastest by the model; variant is -1 where no shape fits the device.
inline Choice choose(const Tiles (&tiles)[kVariants], int sms, bool aligned, int j, int k, int l) {
    Choice best = {-1, 0, 0, 0, std::numeric_limits<double>::infinity()};
    for (int v = 0; v < kVariants; ++v) {
        const auto& [rows, cols, depth, fit] = tiles[v];
        Plan plan = {sms,
                     fit,
                     blocksFor(j, rows) * blocksFor(l, cols),
                     blocksFor(k, depth),
                     0,
                     0,
                     1.0 * rows * cols};
        if (plan.fit == 0) continue;
        double single = plan.tileFloats < kLargeTile ? kSingle : kSingleLarge;
        double more = aligned ? 0 : single * cols;
        plan.alone = kPhaseCosts[v].alone + more;
        plan.full = kPhaseCosts[v].full + plan.fit * more;
        int most = plan.sms * plan.fit, rest = plan.tiles % most;
        consider(best, v, plan, 0, 0);
        if (plan.tiles > most && rest > 0) {
            consider(best, v, plan, rest, most);
            consider(best, v, plan, rest + most, most);
        }
        if (plan.tiles > most) continue;
        for (int blocks = 1; blocks <= plan.fit; ++blocks)
            consider(best, v, plan, plan.tiles, blocks * plan.sms);
        for (int parts = 2; parts * plan.tiles <= most; ++parts)
            consider(best, v, plan, plan.tiles, parts * plan.tiles, kEven);
    }
    return best;
}
