#include <cmath>
#include <cstring>
#include <string>

#include "matrix/file_io.h"
#include "matrix/format.h"
#include "matrix/pattern.h"
#include "matrix/tests/helpers.h"
#include "testing/catch.h"

using namespace matrix_test;
using matrix::Matrix;
using matrix::parseNpy;

namespace {

// Returns a .npy file with this dictionary and these values, on a little-endian machine.
template <typename Value>
std::string npy(const std::string& dictionary, std::initializer_list<Value> values,
                char major = 1) {
    std::string bytes = "\x93NUMPY";
    bytes += major;
    bytes += '\0';
    const std::size_t length = dictionary.size();
    for (int i = 0; i < (major == 1 ? 2 : 4); ++i) bytes += static_cast<char>(length >> 8 * i);
    bytes += dictionary;
    for (const Value value : values) {
        char raw[sizeof value];
        std::memcpy(raw, &value, sizeof value);
        bytes.append(raw, sizeof value);
    }
    return bytes;
}

std::string header(const std::string& descr, const std::string& order, const std::string& shape) {
    return "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
}

// Returns a file of float32 in C order.
std::string floats(const std::string& shape, std::initializer_list<float> values, char major = 1) {
    return npy<float>(header("<f4", "False", shape), values, major);
}

std::string npyMessageFor(const std::string& bytes) {
    return inputErrorOf([&] { parseNpy(bytes, "a.npy"); });
}

}  // namespace

TEST_CASE("a NumPy file reads back what was written", "[npy]") {
    const Folder folder;
    const Matrix m = matrix::generate(matrix::Pattern::WideMagnitudes, 7, 5, 1);
    matrix::writeMatrix(folder.file("m.npy"), m);
    CHECK(matrix::readMatrix(folder.file("m.npy")) == m);
}

TEST_CASE("a written NumPy file has the layout of NumPy's manual", "[npy]") {
    const std::string bytes = matrix::formatNpy(matrixOf(1, 2, {1.0F, -2.0F}));
    REQUIRE(bytes.size() == 128U + 8U);
    CHECK(bytes.substr(0, 10) == std::string("\x93NUMPY\x01\0\x76\0", 10));
    CHECK(startsWith(bytes.substr(10),
                     "{'descr': '<f4', 'fortran_order': False, "
                     "'shape': (1, 2), } "));
    CHECK(bytes[127] == '\n');
    CHECK(bytes.substr(128) == std::string("\0\0\x80\x3F\0\0\0\xC0", 8));
}

TEST_CASE("versions 1, 2 and 3 of NumPy's format are read", "[npy]") {
    for (const char version : {'\x01', '\x02', '\x03'})
        CHECK(parseNpy(floats("(2, 2)", {1, 2, 3, 4}, version), "m") ==
              matrixOf(2, 2, {1, 2, 3, 4}));
}

TEST_CASE("Fortran order is read down the columns", "[npy]") {
    CHECK(parseNpy(npy<float>(header("<f4", "True", "(2, 3)"), {1, 4, 2, 5, 3, 6}), "m") ==
          matrixOf(2, 3, {1, 2, 3, 4, 5, 6}));
}

TEST_CASE("float64 is rounded to float", "[npy]") {
    CHECK(parseNpy(npy<double>(header("<f8", "False", "(1, 3)"), {0.1, -2.0, 3.4028235e38}), "m") ==
          matrixOf(1, 3, {0.1F, -2.0F, 3.4028235e38F}));
}

TEST_CASE("float64 just above the largest float is rounded down to it", "[npy]") {
    CHECK(parseNpy(npy<double>(header("<f8", "False", "(1, 1)"), {0x1.fffffefffffffp127}), "m") ==
          matrixOf(1, 1, {0x1.fffffep127F}));
}

TEST_CASE("a NumPy shape whose bytes overflow is refused", "[npy]") {
    // 1518506279 * 1518494221 * 8 is 2^64 + 157656, and that many bytes do follow.
    const std::string bytes = npy<double>(header("<f8", "False", "(1518506279, 1518494221)"), {}) +
                              std::string(157656, '\0');
    CHECK(contains(npyMessageFor(bytes), "is cut short"));
}

TEST_CASE("one dimension of N values is an N x 1 matrix", "[npy]") {
    CHECK(parseNpy(floats("(3,)", {1, 2, 3}), "m") == matrixOf(3, 1, {1, 2, 3}));
}

TEST_CASE("the dictionary may come in any order, with either quotes", "[npy]") {
    const std::string dictionary =
        "{ \"shape\" :(1,2) , \"fortran_order\":False,\"descr\":\"<f4\"}   \n";
    CHECK(parseNpy(npy<float>(dictionary, {1, 2}), "m") == matrixOf(1, 2, {1, 2}));
}

TEST_CASE("each fault of a NumPy file is reported with cause and remedy", "[npy]") {
    const std::string good = floats("(1, 2)", {1, 2});
    const auto with = [](const std::string& dictionary) { return npy<float>(dictionary, {1, 2}); };
    const auto shape = [&](const std::string& text) { return with(header("<f4", "False", text)); };
    const std::pair<std::string, const char*> rows[] = {
        {"1 2\n1 2\n", "this is not a NumPy file"},
        {good.substr(0, 3), "this is not a NumPy file"},
        {good.substr(0, 7), "the file ends within its header"},
        {good.substr(0, 9), "the file ends within its header"},
        {good.substr(0, 30), "the file ends within its header"},
        {floats("(1, 2)", {1, 2}, '\x04'), "version 4.0"},
        {good.substr(0, good.size() - 1), "is cut short: its header promises 2 values of 4 bytes"},
        {good + "x", "1 bytes follow the last value"},
        {with(header("<i4", "False", "(1, 2)")), "have the type '<i4'"},
        {with(header("|b1", "False", "(1, 2)")), "have the type '|b1'"},
        {with(header(">f4", "False", "(1, 2)")), "are big-endian ('>f4')"},
        {with(header(">f8", "False", "(1, 1)")), "are big-endian ('>f8')"},
        {with("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (2,)}"), "are records"},
        {shape("(1, 1, 2)"), "it has 3 dimensions"},
        {shape("()"), "it has 0 dimensions"},
        {shape("(0, 2)"), "it holds no values"},
        {shape("(4294967296, 1)"), "a dimension is larger"},
        {shape("(2147483647, 2147483647)"), "is cut short"},
        {shape("(99999999999999999999, 1)"), "malformed"},
        {shape("(-1, 2)"), "malformed"},
        {shape("(1 2)"), "malformed"},
        {shape("(1, 2"), "malformed"},
        {shape("[1, 2]"), "malformed"},
        {with(header("<f4", "Maybe", "(1, 2)")), "malformed"},
        {with("{'descr': '<f4', 'fortran_order': False}"), "lacks"},
        {with("{'descr': '<f4"), "malformed"},
        {with("{'colour': 1}"), "unknown key"},
        {with(""), "malformed"},
        {with(header("<f4", "False", "(1, 2)") + "x"), "malformed"},
        {with(header("<f4", "False", "(1, 2)") + std::string(2, '\0')), "malformed"},
        {floats("(1, 2)", {1, NAN}), "row 0, column 1 is NaN"},
        {floats("(2, 1)", {1, INFINITY}), "row 1, column 0 is NaN"},
        {npy<double>(header("<f8", "False", "(1, 1)"), {1e39}), "outside float's range"},
        {npy<double>(header("<f8", "False", "(1, 1)"), {NAN}), "row 0, column 0 is NaN"},
        {npy<double>(header("<f8", "False", "(1, 1)"), {-3.4028235677973366e38}), "outside"},
    };
    for (const auto& [bytes, part] : rows) {
        const std::string message = npyMessageFor(bytes);
        INFO(part);
        INFO(message);
        CHECK(startsWith(message, "a.npy: "));
        CHECK(contains(message, part));
        CHECK(contains(message, "; "));
    }
}

TEST_CASE("a matrix that NumPy's reader here would refuse is not written", "[npy]") {
    CHECK(contains(inputErrorOf([] { matrix::formatNpy(Matrix()); }), "an empty matrix"));
    CHECK(contains(inputErrorOf([] { matrix::formatNpy(matrixOf(1, 1, {NAN})); }), "not finite"));
}

TEST_CASE("the extension chooses the format", "[format]") {
    const Folder folder;
    const Matrix m = matrix::generate(matrix::Pattern::Uniform, 4, 3, 1);
    for (const char* file : {"m.raw", "m.dat", "m.npy"}) {
        matrix::writeMatrix(folder.file(file), m);
        CHECK(matrix::readMatrix(folder.file(file)) == m);
    }
    CHECK(matrix::parseRaw(matrix::readFile(folder.file("m.dat")), "m.dat") == m);
    CHECK(matrix::parseNpy(matrix::readFile(folder.file("m.npy")), "m.npy") == m);
}

TEST_CASE("an unknown extension is refused, and the known ones are listed", "[format]") {
    for (const char* path : {"m.csv", "m", "m.raw.gz", ".npy"}) {
        for (const std::string& message :
             {inputErrorOf([&] { matrix::readMatrix(path); }),
              inputErrorOf([&] { matrix::writeMatrix(path, Matrix(1, 1)); })}) {
            CHECK(startsWith(message, std::string(path) + ": "));
            CHECK(contains(message, ".raw or .dat (text) or .npy (NumPy)"));
        }
    }
}
