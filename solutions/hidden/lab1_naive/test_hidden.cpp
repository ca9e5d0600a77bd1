// Tests widths that no public test uses.
#include "../drawn.h"
#include "lab1_naive/host_findings.h"
#include "lab1_naive/lab1.h"
#include "matrix/compare.h"

namespace {

void expectRight(int turn, int Width) {
    INFO("Width " << Width);
    lab::expectProduct(
        "matrixMul",
        lab::runProduct(kHostFindings, "matrixMul", drawn::set(turn, Width, Width, Width),
                        [&](auto... matrices) { matrixMul(matrices..., Width); }));
}

}  // namespace

TEST_CASE("hidden: the product is right for other widths and other numbers") {
    for (int turn = 0; turn < 4; ++turn)
        expectRight(turn, drawn::number(static_cast<std::uint64_t>(turn), 3, 75));
}

TEST_CASE("hidden: the product is right for widths next to a multiple of 16") {
    const int multiple = 16 * drawn::number(10, 1, 5);
    expectRight(10, multiple - 1);
    expectRight(11, multiple + 1);
}
