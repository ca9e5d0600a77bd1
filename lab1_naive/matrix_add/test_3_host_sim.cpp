// Tests the launch that the host side makes, as the simulated device recorded it.
#include <vector>

#include "lab1_naive/matrix_add/requests.h"

namespace {

// The shape and the grid of each earlier call whose grid was right.
struct Earlier {
    sums::Shape shape;
    dim3 grid, block;
};
std::vector<Earlier> earlier;

bool covers(const Earlier& one, sums::Shape shape) {
    return one.grid.x == lab::tilesIn(shape.cols, one.block.x) &&
           one.grid.y == lab::tilesIn(shape.rows, one.block.y);
}

// Returns what to do about a wrong number of blocks.
std::string remedyFor(const cusim::LaunchReport& launch) {
    for (const Earlier& one : earlier)
        if (one.grid.x == launch.grid.x && one.grid.y == launch.grid.y)
            return lab::filled(
                "An earlier call, with {}, had the same grid. Compute it\nfrom rows and cols in "
                "each call: a static variable is set only once.",
                sums::text(one.shape));
    return lab::divideAndRoundUp();
}

const cusim::LaunchReport& launchFor(const Todo& todo, sums::Shape shape) {
    const sums::Operands in = sums::operands(shape);
    matrix::Matrix C = matrix::poisoned(shape.rows, shape.cols);
    // The grid's test and the tests of the values report elements that the grid leaves out.
    lab::runIgnoring({"unset-output"}, todo, lab::gives(C).from(in.A, in.B), [&] {
        matrixAdd(in.A.data(), in.B.data(), C.data(), shape.rows, shape.cols);
    });
    const auto& launch = lab::launchOf(todo);
    const Earlier one{shape, launch.grid, launch.block};
    if (covers(one, shape)) earlier.push_back(one);
    return launch;
}

}  // namespace

TEST_CASE("TODO(4): a block has 64 threads") {
    const sums::Shape shape{32, 64};
    const auto& launch = launchFor(Todo(4), shape);
    const dim3 block = launch.block;
    const unsigned threads = block.x * block.y * block.z;
    if (threads != 64 || block.z != 1)
        lab::fail("block-size", Todo(4),
                  "the launch in line {} has blocks of {}{}: {}.\nThe block must have 64 threads: "
                  "x times y is 64. Only "
                  "its shape is your choice.{}",
                  launch.at.line, sums::times(block.x, block.y),
                  (block.z == 1 ? "" : " x " + std::to_string(block.z)),
                  lab::count(threads, "thread"), lab::ifExchanged(launch, shape.cols, shape.rows));
}

TEST_CASE("TODO(4): with this block, a warp touches only the sectors that it needs") {
    const auto& launch = launchFor(Todo(4), {64, 128});
    const auto& warps = sums::requestsOf(Todo(4), launch);
    if (warps.sectors <= warps.idealSectors) return lab::expectWholeWarps(Todo(4), launch);
    // A sector holds eight floats, so that such rows are whole sectors.
    const bool wideEnough = launch.block.x % 8 == 0;
    const std::uint64_t threads = (launch.global().loads + launch.global().stores) * warps.blocks /
                                  lab::blocksOf(launch) / warps.globalRequests;
    lab::fail(
        "uncoalesced", Todo(4), "{}{}", sums::touches(launch.block, warps),
        (wideEnough && threads < 16
             ? lab::filled("\nOnly {} of a warp's 32 threads take part in a request: {} must "
                           "let the\nothers in, and {} must access one element in each\nof them.",
                           threads, Todo(2), Todo(3))
         : wideEnough ? lab::filled("\nThe block is wide enough. Check how {} and {} use x.",
                                    Todo(1), Todo(3))
                      : "\nA sector holds 8 neighbouring floats of a row: make the block "
                        "wide in x."));
}

TEST_CASE("TODO(5): the grid covers C for every shape, and every block is needed") {
    const sums::Shape shapes[] = {{5, 70}, {33, 3}, {1, 1}, {4, 16}, {100, 17}, {64, 128}};
    for (const sums::Shape shape : shapes) {
        INFO(sums::text(shape));
        const auto& launch = launchFor(Todo(5), shape);
        lab::expectOneLaunch(Todo(5), "all of C");
        lab::expectTwoDimensions(Todo(5), launch, shape.cols, shape.rows);
        const struct {
            const char* name;
            const char* what;
            int elements;
            unsigned grid, block;
        } dimensions[] = {{"x", "column", shape.cols, launch.grid.x, launch.block.x},
                          {"y", "row", shape.rows, launch.grid.y, launch.block.y}};
        for (const auto& d : dimensions) {
            const unsigned wanted = lab::tilesIn(d.elements, d.block);
            if (d.grid == wanted) continue;
            lab::fail("grid-size", Todo(5),
                      "gridDim.{} is {} with blocks of {}, but {}{}{}.\n{}\nThe x of the grid "
                      "covers the columns, its y covers the rows.{}",
                      d.name, d.grid, d.block, lab::count(d.elements, d.what),
                      (d.elements == 1 ? " needs " : " need "), wanted, remedyFor(launch),
                      lab::ifExchanged(launch, shape.cols, shape.rows));
        }
    }
    const sums::Operands in = sums::operands(shapes[0]);
    matrix::Matrix C = sums::poisonedSum(in);
    lab::expectCallsChecked("matrixAdd", lab::gives(C).from(in.A, in.B), [&] {
        matrixAdd(in.A.data(), in.B.data(), C.data(), in.rows(), in.cols());
    });
}
