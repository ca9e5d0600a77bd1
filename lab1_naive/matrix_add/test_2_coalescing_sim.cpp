// Tests how the shape of a block of 64 threads changes the kernel's traffic; the tests launch it.
#include "lab1_naive/matrix_add/requests.h"

TEST_CASE("a request touches 4 sectors in a 16 x 4 block, 8 in 4 x 16, and 32 in 1 x 64") {
    // A row of 32 floats is four whole sectors.
    const sums::Operands in = sums::operands({64, 32});
    const struct { unsigned x, y, sectors; } shapes[] = {{16, 4, 4}, {4, 16, 8}, {1, 64, 32}};
    for (const auto& shape : shapes) {
        const dim3 block(shape.x, shape.y);
        // A wrong sum matters more than its traffic.
        sums::expectSum(Todo(3), sums::runKernel(Todo(3), in, block), in);
        const auto& warps = sums::requestsOf(Todo(3), cusim::launches().at(0));
        if (warps.sectors <= shape.sectors * warps.globalRequests) continue;
        lab::fail(
            "uncoalesced", Todo(3),
            "{} A right kernel touches {}.\nNeighbours in x must access neighbours in memory: "
            "the column comes\nfrom x, and element (r, c) is at r * cols + c.",
            sums::touches(block, warps), shape.sectors);
    }
}
