#include <cmath>
#include <cstring>
#include <ctime>
#include <random>
#include <string>

#include "matrix/format.h"
#include "matrix/pattern.h"
#include "matrix/tests/helpers.h"
#include "testing/catch.h"

using namespace matrix_test;
using matrix::formatRaw;
using matrix::Matrix;
using matrix::parseRaw;

namespace {

std::string rawMessageFor(const std::string& text) {
    return inputErrorOf([&] { parseRaw(text, "sets/a.raw"); });
}

}  // namespace

TEST_CASE("every finite float survives the text, bit for bit", "[raw]") {
    std::mt19937_64 random(1);
    Matrix m(100, 100);
    for (std::size_t i = 0; i < m.size();) {
        const auto bits = static_cast<std::uint32_t>(random());
        std::memcpy(m.data() + i, &bits, sizeof bits);
        if (std::isfinite(m.data()[i])) ++i;
    }
    m(0, 0) = -0.0F;
    m(0, 1) = 1.4e-45F;
    m(0, 2) = 3.4028235e38F;
    m(0, 3) = 1.1754942e-38F;
    CHECK(parseRaw(formatRaw(m), "m") == m);
}

TEST_CASE("values are written with the shortest digits that round-trip", "[raw]") {
    CHECK(formatRaw(matrixOf(2, 3, {1, -0.5F, 8, 0, 0.1F, 314.99F})) ==
          "2 3\n1 -0.5 8\n0 0.1 314.99\n");
}

TEST_CASE("the forms that libwb writes are read", "[raw]") {
    const Matrix expected = matrixOf(2, 2, {2, 314.99F, -1.5F, 1000});
    const std::string texts[] = {
        "2 2\n2. 314.99\n-1.5 1e3\n",          // plain
        "2 2\n2. 314.99\n-1.5 1e3",            // no line end after the last row
        "2 2\r\n2. 314.99\r\n-1.5 1e3\r\n",    // CRLF
        "2 2 \n2. 314.99 \n-1.5 1e3 \n\n \n",  // blanks and lines at the end
        "2\t2\n2.\t314.99\n\n  -1.5  +1E3",    // tabs, a blank line, a plus sign
        "+2 2\n+2. 314.99\n-1.50 1000\n",
    };
    for (const std::string& text : texts) {
        INFO(text);
        CHECK(parseRaw(text, "m") == expected);
    }
}

TEST_CASE("a header of one integer N is a column of N values", "[raw]") {
    const Matrix expected = matrixOf(3, 1, {1, 2, 3});
    CHECK(parseRaw("3\n1\n2\n3\n", "m") == expected);
    CHECK(parseRaw("3\n1 2 3", "m") == expected);
    CHECK(parseRaw("3\r\n1 2\r\n3\r\n", "m") == expected);
    CHECK(parseRaw("3 1\n1\n2\n3\n", "m") == expected);
}

TEST_CASE("each fault of a text is reported with line, column, cause and remedy", "[raw]") {
    // Texts, and what their messages begin with after "sets/a.raw:".
    const std::pair<const char*, const char*> rows[] = {
        {" \n ", "1:2: the text is blank; "},
        {"a 2\n1 2\n", "1:1: 'a' is not a positive whole number; "},
        {"2 b\n1 2\n", "1:3: 'b' is not a positive whole number; "},
        {"0 2\n1 2\n", "1:1: '0' is not a positive whole number; "},
        {"2 -2\n1 2\n", "1:3: '-2' is not a positive whole number; "},
        {"1.5 2\n1 2\n", "1:1: '1.5' is not a positive whole number; "},
        {"-99999999999 2\n1 2\n", "1:1: '-99999999999' is not a positive whole number; "},
        {"2147483648 1\n1\n", "1:1: the size '2147483648' is larger than 2147483647; "},
        {"1 2 3\n1 2\n", "1:5: '3' is a third word in the header; "},
        {"2147483647 2147483647\n1 2\n", "1:1: the header promises 2147483647 x 2147483647 values"},
        {"2 3\n1 2 3\n4\n", "1:1: the header promises 2 x 3 values, more than the 9 bytes"},
        {"3\n1 2", "1:1: the header promises 3 x 1 values"},
        {"3\n1 2 ", "1:1: the header promises 3 x 1 values, more than the 5 bytes"},
        {"2 2\n1 22222\n3\n", "3:2: row 1 ends after 1 of 2 values; "},
        {"2 2\n1 2 3\n4\n", "2:5: row 0 has more than the 2 values that the header promises; "},
        {"2 2\n1111 2222\n", "2:10: the text ends after 1 of 2 rows; "},
        {"2 2\n1 2\n3 4\n5 6\n", "4:1: there is more than the 2 rows that the header promises; "},
        {"3\n1111 2222\n", "2:10: the text ends after 2 of 3 values; "},
        {"2\n1 2 3\n", "2:5: there is more than the 2 values that the header promises; "},
        {"2 2\n1 2\n1.25  abc\n",
         "3:7: 'abc' is not a number; write decimal numbers such as 1.5, separated by spaces"},
        {"1 2\n1,5 2\n", "2:1: '1,5' is not a number; "},
        {"1 2\n1 0x10\n", "2:3: '0x10' is not a number; "},
        {"1 2\n1 +-2\n", "2:3: '+-2' is not a number; "},
        {"1 2\n1 + 2\n", "2:3: '+' is not a number; "},
        {"1 2\n1 2f\n", "2:3: '2f' is not a number; "},
        {"1 2\n1 1e39\n", "2:3: '1e39' is outside the range of float; "},
        {"1 2\n1 -1e999\n", "2:3: '-1e999' is outside the range of float; "},
        {"1 2\n1 1e-60\n", "2:3: '1e-60' is outside the range of float; "},
        {"1 2\r\n1 nan\r\n", "2:3: 'nan' is not finite; "},
        {"1 2\n1 -inf\n", "2:3: '-inf' is not finite; "},
        {"1 2\n1 infinity\n", "2:3: 'infinity' is not finite; "},
        {"1 2\n1 \xC3\xA9\n",
         "2:3: '?"
         "?' is not a number; "},
        {"\x93NUMPY\x01", "1:1: this is a NumPy file; rename it so that it ends in .npy"},
    };
    for (const auto& [text, start] : rows) {
        INFO(text);
        const std::string message = rawMessageFor(text);
        INFO(message);
        CHECK(startsWith(message, std::string("sets/a.raw:") + start));
        CHECK(contains(message, "; "));
        CHECK(!contains(message, "\n"));
    }
}

TEST_CASE("a binary file under the wrong name is recognised", "[raw]") {
    const std::string message = rawMessageFor(std::string("2 2\n\0\0", 6));
    CHECK(message == "sets/a.raw: byte 4 is NUL, so this is a binary file; give a text matrix");
}

TEST_CASE("a long word is cut short in the message", "[raw]") {
    const std::string message = rawMessageFor("1 1\n" + std::string(5000, 'z'));
    CHECK(contains(message, "2:1: 'zzzzzzzzzzzzzzzzzzzzzzzz...' is not a number"));
    CHECK(message.size() < 160U);
}

TEST_CASE("a matrix that could not be read back is not written", "[raw]") {
    const auto refusal = [](const Matrix& m) { return inputErrorOf([&] { formatRaw(m); }); };
    CHECK(contains(refusal(Matrix()), "an empty matrix"));
    CHECK(startsWith(refusal(matrixOf(1, 2, {1, NAN})), "row 0, column 1 is not finite; "));
    CHECK(startsWith(refusal(matrixOf(2, 1, {1, INFINITY})), "row 1, column 0 is not finite; "));
}

TEST_CASE("a text matrix on disk reads back, and its faults name the file", "[raw]") {
    const Folder folder;
    const Matrix m = matrix::generate(matrix::Pattern::Uniform, 3, 5, 1);
    matrix::writeMatrix(folder.file("m.raw"), m);
    CHECK(matrix::readMatrix(folder.file("m.raw")) == m);
    folder.file("bad.raw", "1 1\nx\n");
    CHECK(startsWith(inputErrorOf([&] { matrix::readMatrix(folder.file("bad.raw")); }),
                     folder.file("bad.raw") + ":2:1: "));
}

TEST_CASE("a million values are written and read within seconds of processor time", "[raw]") {
    const Matrix m = matrix::generate(matrix::Pattern::WideMagnitudes, 1024, 1024, 1);
    const std::clock_t start = std::clock();
    CHECK(parseRaw(formatRaw(m), "m") == m);
    // Usually 0.2 s; quadratic time would take minutes. CPU time leaves out other work on the
    // machine.
    CHECK(std::clock() - start < 10 * CLOCKS_PER_SEC);
}
