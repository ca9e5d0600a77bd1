// Tests the product, on both devices.
#include <optional>

#include "lab2_tiled/tiled_run.h"
#ifdef CUDA_SIMULATED_DEVICE
#include "lab2_tiled/other_widths.h"
#endif
#include "testing/device.h"
#include "testing/probed_product.h"

namespace {

const std::vector<std::string> kOfStore = {"unset-output"};

// Returns which line of P takes elements of another line: rows by those of M, or columns by those
// of N. Empty if none does. One line of the factor holds 1, its others 0, and the other factor 1.
std::string lineOfOther(bool ofM) {
    const int Width = 2 * tileWidth();
    matrix::DataSet set = lab::integers(lab::square(Width));
    for (matrix::Matrix* factor : {&set.M, &set.N})
        std::fill_n(factor->data(), factor->size(),
                    factor == (ofM ? &set.N : &set.M) ? 1.0f : 0.0f);
    for (int i = 0; i < Width; ++i) (ofM ? set.M(1, i) : set.N(i, 1)) = 1.0f;
    const matrix::Matrix P = runTiled("tiledMatrixMul", set, kOfStore).P;
    for (int line = 0; line < Width; ++line)
        for (int i = 0; i < Width && line != 1; ++i)
            if ((ofM ? P(line, i) : P(i, line)) != 0.0f)
                return lab::filled(
                           "If only {} 1 of {} is not 0, {} {} of P must be 0, but it is not. So "
                           "{}s of {} get\nmixed up. One tile alone is right: see the index of {} "
                           "in {}.",
                           ofM ? "row" : "column", ofM ? 'M' : 'N', ofM ? "row" : "column", line,
                           ofM ? "row" : "column", ofM ? 'M' : 'N', ofM ? 'M' : 'N',
                           Todo(ofM ? 2 : 3))
                    .words;
    return "";
}

}  // namespace

TEST_CASE("TODO(5): an element of P is the sum of TILE_WIDTH products from each phase") {
    const int Width = 2 * tileWidth();
    // Without a store the sums may still be right.
    if (runTiled(Todo(5), lab::integers(lab::square(Width)), {"unset-output"}).P ==
        matrix::poisoned(Width, Width))
        lab::fail("never-written", Todo(5),
                  "P is unchanged, so the test cannot judge the sums. Add the products to\n"
                  "Pvalue in each phase. The store is {}. If you store already: does an\nif "
                  "exclude every thread?",
                  Todo(7));
    const std::string rows = lineOfOther(true), columns = lineOfOther(false);
    // With wide tiles, floats do not hold the numbers that tell the places.
    std::optional<lab::ProbedProduct> probed;
    if (Width <= 40)
        probed.emplace(tileWidth(), [](const matrix::DataSet& set) {
            return runTiled(Todo(5), set, kOfStore).P;
        });
    const lab::ProductRun one =
        runTiled(Todo(5), lab::integers(lab::square(tileWidth())), kOfStore);
    const lab::ProductRun run = runTiled(Todo(5), lab::integers(lab::square(Width)));
    // Other indices of the tiles would transpose each tile, not all of M or N.
    const std::string looks = lab::looksOf(run.P, run.set);
    const bool ofN = looks.find("the transpose of N:") != std::string::npos;
    if (ofN || looks.find("the transpose of M, ") != std::string::npos) {
        lab::beginWith(Todo(ofN ? 3 : 2));
        lab::failProduct(Todo(5), run,
                         lab::filled("{}\nSee the index of {} in {}: {}.", looks, ofN ? 'N' : 'M',
                                     Todo(ofN ? 3 : 2),
                                     ofN ? "the row depends on ty, and the column is Col"
                                         : "the row is Row, and the column depends on tx"));
    }
    lab::expectProduct(Todo(5), run, [&]() -> std::string {
        if (!lab::isRight(one)) return probed ? probed->cause(one.P, one.set) : "";
        if ((rows + columns).empty()) return "";
        lab::beginWith(Todo(rows.empty() ? 3 : 2));
        return rows.empty() ? columns : rows;
    });
}

TEST_CASE("the product is right for every multiple of TILE_WIDTH, also for fractions") {
    const device::WithoutWarps withoutWarps;
    for (const int tiles : {1, 2, 3, 5, 8}) {
        const int Width = tiles * tileWidth();
        INFO("Width " << Width << ", TILE_WIDTH " << tileWidth());
        for (const matrix::DataSet& set :
             {lab::integers(lab::square(Width)), lab::fractions(lab::square(Width))}) {
            lab::expectProduct("tiledMatrixMul", runTiled("tiledMatrixMul", set));
        }
    }
    lab::expectLastTile("tiledMatrixMul", tileWidth(), tileWidth(), tiledMatrixMul);
#ifdef CUDA_SIMULATED_DEVICE
    expectOtherWidths("tiledMatrixMul");
#endif
}

TEST_CASE("the product is right on every data set whose Width is a multiple of TILE_WIDTH") {
    const device::WithoutWarps withoutWarps;
    for (const matrix::SetSpec& spec : matrix::squareSets()) {
        if (spec.j % tileWidth() != 0) continue;
        INFO("data set " << spec.name);
        lab::expectProduct("tiledMatrixMul", runTiled("tiledMatrixMul", lab::build(spec)));
    }
}

TEST_CASE("M and N are not changed") {
    const int Width = 2 * tileWidth();
    const matrix::DataSet before = lab::integers(lab::square(Width));
    const lab::ProductRun run = lab::runWithInputs(
        "tiledMatrixMul", before, [&](auto... matrices) { tiledMatrixMul(matrices..., Width); },
        lab::andLeaks());
    lab::expectUntouched(run.set, before);
}
