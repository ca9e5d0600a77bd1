// Compares the products of all shapes, types and layouts of mma.h with those of the simulated
// device: exactly where all sums are exact, and else within the bound that programs/README.md
// states.
#include "matrix_tiles.h"

#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
    const unsigned first = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 0;
    int passed = 0, failed = 0;
    double largest = 0;
    matrix_tiles::visitAll([&](const std::string& name, auto runs, bool isExact) {
        bool well = true;
        double share = 0;
        for (unsigned seed = first; seed < first + 20; ++seed) {
            const matrix_tiles::Compared compared = runs(seed);
            well = well && (isExact ? compared.other == 0 : compared.share <= 1);
            share = std::fmax(share, compared.share);
        }
        if (!isExact) largest = std::fmax(largest, share);
        (well ? passed : failed) += 1;
        if (!well) std::printf("%s: other values, %.3f of the bound\n", name.c_str(), share);
    });
    std::printf("the largest difference is %.3f of the bound\n", largest);
    std::printf("%d passed, %d failed\n", passed, failed);
    return failed ? 1 : 0;
}
