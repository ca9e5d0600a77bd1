// Tests several sets: folders, their order, and the table.
#include "harness/tests/helpers.h"
#include "matrix/catalog.h"

using namespace harness_test;

namespace {

void addSquare(const Folder& folder, const std::string& name) {
    folder.file(name + "/input0.raw", "2 2\n1 2\n3 4\n");
    folder.file(name + "/input1.raw", "2 2\n5 6\n7 8\n");
    folder.file(name + "/output.raw", "2 2\n19 22\n43 50\n");
}

void addRectangle(const Folder& folder, const std::string& name) {
    folder.file(name + "/input0.raw", "1 2\n1 2\n");
    folder.file(name + "/input1.raw", "2 1\n5\n7\n");
    folder.file(name + "/output.raw", "1 1\n19\n");
}

auto lines(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

constexpr int kHeaderLines = 3;

}  // namespace

TEST_CASE("--set takes the folder's name for the set's, with or without a slash at its end") {
    const Folder folder;
    addSquare(folder, "first");
    for (const char* end : {"", "/"}) {
        const Ran run = ran(labWith(rightProduct), {"--set", folder.file("first") + end});
        CHECK(run.status == 0);
        CHECK(contains(run.out, "set      first\n"));
    }
}

TEST_CASE("--sets finds sets at any depth and sorts them") {
    const Folder folder;
    addSquare(folder, "b");
    addSquare(folder, "a/2");
    addRectangle(folder, "a/1");
    const Ran run = ran(labWith(rightProduct), {"--sets", folder.path()});
    CHECK(run.status == 0);
    const std::size_t first = run.out.find("a/1"), second = run.out.find("a/2"),
                      third = run.out.find("set      b");
    CHECK(first < second);
    CHECK(second < third);
    CHECK(third != std::string::npos);
}

TEST_CASE("folders without sets, and paths that are no folders, are input errors") {
    const Folder folder;
    checkRefused(ran(labWith(rightProduct), {"--sets", folder.path()}), "holds no data set");
    CHECK(ran(labWith(rightProduct), {"--sets", folder.file("x")}).status == 2);
    checkRefused(ran(labWith(rightProduct), {"--set", folder.file("x")}), "is not a folder");
}

TEST_CASE("a set without output.raw is incomplete") {
    const Folder folder;
    addSquare(folder, "a");
    std::filesystem::remove(folder.file("a/output.raw"));
    checkRefused(ran(labWith(rightProduct), {"--set", folder.file("a")}), "output.raw");
}

TEST_CASE("one wrong set among several makes the status 1") {
    const Folder folder;
    addSquare(folder, "a");
    addRectangle(folder, "b");
    const auto wrongOnSquares = labWith([](const Matrix& M, const Matrix& N, Matrix& P) {
        rightProduct(M, N, P);
        if (P.rows() > 1) P(0, 0) = -1.0F;
    });
    CHECK(ran(wrongOnSquares, {"--set", folder.file("b")}).status == 0);
    CHECK(ran(wrongOnSquares, {"--set", folder.file("a"), "--set", folder.file("b")}).status == 1);
}

TEST_CASE("the table has a row for each set, by name, within 80 columns") {
    const Folder folder;
    addSquare(folder, "b");
    addRectangle(folder, "a");
    const Ran run = ran(labWith(rightProduct),
                        {"--table", "--set", folder.file("b"), "--set", folder.file("a")});
    CHECK(run.status == 0);
    CHECK(lines(run.out) == kHeaderLines + 2);
    CHECK(run.out.find("\na ") < run.out.find("\nb "));
    CHECK(contains(run.out, "2x2x2"));
    CHECK(widestLine(run.out) <= 80);
}

TEST_CASE("the table of the whole catalogue keeps within 80 columns, right or wrong") {
    for (const auto& multiply : {rightProduct, transposedProduct}) {
        const Ran square = ran(labWith(multiply, true), {"--table"});
        CHECK(widestLine(square.out) <= 80);
        CHECK(contains(square.out, "square-017-uniform"));
        CHECK_FALSE(contains(square.out, "rect-"));
    }
    const Ran all = ran(labWith(rightProduct), {"--table"});
    CHECK(all.status == 0);
    CHECK(widestLine(all.out) <= 80);
    CHECK(contains(all.out, "rect-integers       67x41x29 "));
}

TEST_CASE("after the table the first wrong set is explained, and no other") {
    const Folder folder;
    for (const char* name : {"a", "b", "c"}) addSquare(folder, name);
    int run = 0;
    const auto wrongFromTheSecond = labWith([&](const Matrix& M, const Matrix& N, Matrix& P) {
        rightProduct(M, N, P);
        if (++run > 1) P(0, 0) = 20.0F;
    });
    const Ran table = ran(wrongFromTheSecond, {"--table", "--sets", folder.path()});
    CHECK(table.status == 1);
    const std::size_t explained = table.out.find("\nb: ");
    REQUIRE(explained != std::string::npos);
    CHECK(contains(table.out.substr(explained), "got 20, expected 19"));
    CHECK_FALSE(contains(table.out, "\nc: "));
}

TEST_CASE("a square lab's table leaves rectangular sets out, but not all of them") {
    const Folder folder;
    addRectangle(folder, "a");
    Ran run = ran(labWith(rightProduct, true), {"--table", "--sets", folder.path()});
    checkRefused(run, "none of these sets fits");
    CHECK(contains(run.err, "square matrices"));
    addSquare(folder, "b");
    run = ran(labWith(rightProduct, true), {"--table", "--sets", folder.path()});
    CHECK(run.status == 0);
    CHECK(lines(run.out) == kHeaderLines + 1);
    CHECK(ran(labWith(rightProduct, true), {"--set", folder.file("a")}).status == 2);
}

TEST_CASE("a tiled lab refuses a Width that its tile does not divide") {
    const std::string M = "3 3\n1 2 3\n4 5 6\n7 8 9\n";
    const Ran run = ranOn(tiledLab(rightProduct, 2), M, M);
    checkRefused(run, "is 3 x 3 times 3 x 3");
    CHECK(contains(run.err, "whose Width is a multiple of its TILE_WIDTH, 2;"));
    CHECK(ranOn(tiledLab(rightProduct, 3), M, M).status == 0);
}

TEST_CASE("a tiled lab's table leaves out what its tile does not divide") {
    const Ran run = ran(tiledLab(rightProduct, 16), {"--table"});
    CHECK(run.status == 0);
    int dividedBy16 = 0;
    for (const auto& spec : matrix::squareSets()) dividedBy16 += spec.j % 16 == 0;
    CHECK(lines(run.out) == kHeaderLines + dividedBy16);
    CHECK(contains(run.out, "square-064-wide"));
    CHECK_FALSE(contains(run.out, "square-100"));
    CHECK(widestLine(run.out) <= 80);
}

TEST_CASE("without arguments a tiled lab gets a set that its tile divides, or a sentence") {
    checkEnded(ran(tiledLab(rightProduct, 16)), 0, "square-128-uniform");
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{}, std::vector<std::string>{"--table"}}) {
        const Ran none = ran(tiledLab(rightProduct, 7), arguments);
        checkRefused(none, "no set of the catalogue fits");
        CHECK(contains(none.err, "--set"));
    }
}
