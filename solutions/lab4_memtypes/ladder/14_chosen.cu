// Rung 14: chosen. Which tiles, and whether blocks share them along k, follows from the time that a
// model predicts for each choice: how many phases the busiest SM goes through, and what it costs to
// begin a tile and to add up parts.
//
// Predicted: no tile is best everywhere. 128 x 256 loads least for a product, but 1536 x 1536 has
// only 72 of them; 64 x 128 fills the SMs evenly; 8 x 256 wastes nothing on eight rows. At or over
// cuBLAS on every shape.
//
// measured:begin
// Measured on an NVIDIA H200: 52.8 TFLOP/s at N = 4096, 104.2 % of cuBLAS,
// 1.00 times rung 13.
// 19.8 at 512, 40.7 at 1024, 51.6 at 2048, 53.5 at 8192, 53.7 at 16384, 43.7 at 4097x3001x5003.
// measured:end
#include <algorithm>
#include <limits>

#include "fallback.h"
#include "shapes.h"

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

static void consider(Choice& best, int variant, const Plan& plan, int shared, int sharers,
                     double handicap = 1) {
    int most = plan.sms * plan.fit, blocks = shared > 0 ? sharers : min(plan.tiles, most);
    if (blocks < 1 || blocks > most || (shared > 0 && shared * plan.phases < sharers)) return;
    double time = plan.sharedTiles(shared, sharers) + plan.wholeTiles(plan.tiles - shared, blocks);
    time *= handicap;
    if (time < best.microseconds) best = {variant, blocks, shared, sharers, time};
}

// Returns the fastest by the model; variant is -1 where no shape fits the device.
static Choice choose(const Variant* variants, bool aligned, int j, int k, int l) {
    Choice best = {-1, 0, 0, 0, std::numeric_limits<double>::infinity()};
    for (int v = 0; v < kVariants; ++v) {
        const Variant& variant = variants[v];
        Plan plan = {multiprocessors(),
                     variant.blocksThatFit(),
                     blocksFor(j, variant.rows) * blocksFor(l, variant.cols),
                     blocksFor(k, variant.depth),
                     0,
                     0,
                     1.0 * variant.rows * variant.cols};
        if (plan.fit == 0) continue;
        double single = plan.tileFloats < kLargeTile ? kSingle : kSingleLarge;
        double more = aligned ? 0 : single * variant.cols;
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

static void launch(const float* M, const float* N, float* P, int j, int k, int l) {
    [[maybe_unused]] static const bool told =
        tellFallback("14_chosen", Tile128x256<4>::sharedBytes, "smaller ones run");
    if (j <= 4 || l <= 4) return fewRows.launch(M, N, P, j, k, l);
    bool aligned = rowsAligned(N, l);
    // On so little work for an element of P its store is all that counts.
    bool fills = blocksFor(j, 128) * blocksFor(l, 128) >= multiprocessors();
    constexpr int kDepth = Tile128x256<4>::depth;
    if (aligned && (k <= kDepth || (k <= 4 * kDepth && fills)))
        return asyncCopies.launch(M, N, P, j, k, l);
    if (k <= kDepth) return registerTile1d.launch(M, N, P, j, k, l);
    const Variant* variants = aligned ? alignedVariants : unalignedVariants;
    // A program that multiplies in a loop asks again and again.
    static int last[4] = {};
    static Choice choice;
    int now[4] = {j, k, l, aligned};
    if (!std::equal(now, now + 4, last)) {
        choice = choose(variants, aligned, j, k, l);
        std::copy(now, now + 4, last);
    }
    if (choice.variant < 0) return asyncCopies.launch(M, N, P, j, k, l);
    // Rung 10 is a little faster with whole tiles of its own shape.
    if (choice.variant == 0 && choice.shared == 0) return tuned.launch(M, N, P, j, k, l);
    variants[choice.variant].launch(M, N, P, j, k, l, choice.blocks, choice.shared, choice.sharers);
}

const Rung chosen = {"14_chosen", launch, always<128, 256>};
