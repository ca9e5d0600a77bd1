#include "matrix/npy_format.h"

#include <climits>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "matrix/file_io.h"
#include "matrix/input_error.h"
#include "matrix/npy_header.h"
#include "matrix/scanner.h"

namespace matrix {

namespace {

[[noreturn]] void fail(const std::string& name, const std::string& sentence) {
    throw InputError(name + ": " + sentence);
}

std::size_t valueBytes(const NpyHeader& header, const std::string& name) {
    const std::string& descr = header.descr;
    if (descr == "<f4") return 4;
    if (descr == "<f8") return 8;
    if (descr == ">f4" || descr == ">f8")
        fail(name, "its values are big-endian (" + quoted(descr) +
                       "); save it again as little-endian with astype('<f4')");
    fail(name, "its values have the type " + quoted(descr) +
                   "; save it again as float32 with astype('<f4')");
}

struct Shape {
    std::size_t rows = 0;
    std::size_t cols = 1;
};

Shape matrixShape(const NpyHeader& header, const std::string& name) {
    if (header.shape.empty() || header.shape.size() > 2)
        fail(name, "it has " + std::to_string(header.shape.size()) +
                       " dimensions; save a matrix (2) or a vector (1)");
    Shape shape;
    shape.rows = header.shape[0];
    if (header.shape.size() == 2) shape.cols = header.shape[1];
    if (shape.rows == 0 || shape.cols == 0)
        fail(name, "it holds no values; save a matrix with a row and a column at least");
    if (shape.rows > INT_MAX || shape.cols > INT_MAX)
        fail(name, "a dimension is larger than 2147483647; save a smaller matrix");
    return shape;
}

void checkLength(std::size_t got, std::size_t values, std::size_t bytesEach,
                 const std::string& name) {
    // A division comes first, because values * bytesEach may exceed size_t.
    if (values > got / bytesEach)
        fail(name, "the file is cut short: its header promises " + std::to_string(values) +
                       " values of " + std::to_string(bytesEach) + " bytes, but " +
                       std::to_string(got) + " bytes follow; save or copy it again");
    if (got != values * bytesEach)
        fail(name, std::to_string(got - values * bytesEach) +
                       " bytes follow the last value; save or copy it again");
}

template <typename Bits>
Bits loadBits(const char* bytes) {
    Bits bits = 0;
    for (std::size_t i = sizeof(Bits); i > 0; --i)
        bits = static_cast<Bits>(bits << 8 | static_cast<unsigned char>(bytes[i - 1]));
    return bits;
}

float loadValue(const char* bytes, std::size_t bytesEach) {
    if (bytesEach == 4) {
        const auto bits = loadBits<std::uint32_t>(bytes);
        float value = 0.0F;
        std::memcpy(&value, &bits, sizeof value);
        return value;
    }
    const auto bits = loadBits<std::uint64_t>(bytes);
    double wide = 0.0;
    std::memcpy(&wide, &bits, sizeof wide);
    // Values from half a step above the largest float round to no float, and C++ leaves their
    // conversion undefined.
    constexpr double kFirstTooLarge = 0x1.ffffffp127;
    if (!(std::fabs(wide) < kFirstTooLarge)) return std::isnan(wide) ? NAN : INFINITY;
    return static_cast<float>(wide);
}

std::string place(int r, int c) {
    return "row " + std::to_string(r) + ", column " + std::to_string(c);
}

}  // namespace

Matrix parseNpy(std::string_view bytes, const std::string& name) {
    const NpyHeader header = parseNpyHeader(bytes, name);
    const std::size_t bytesEach = valueBytes(header, name);
    const Shape shape = matrixShape(header, name);
    const std::string_view values = bytes.substr(header.dataOffset);
    checkLength(values.size(), shape.rows * shape.cols, bytesEach, name);

    Matrix m(static_cast<int>(shape.rows), static_cast<int>(shape.cols));
    for (int r = 0; r < m.rows(); ++r)
        for (int c = 0; c < m.cols(); ++c) {
            const auto row = static_cast<std::size_t>(r);
            const auto col = static_cast<std::size_t>(c);
            const std::size_t i =
                header.fortranOrder ? col * shape.rows + row : row * shape.cols + col;
            m(r, c) = loadValue(values.data() + i * bytesEach, bytesEach);
            if (!std::isfinite(m(r, c))) {
                fail(name, place(r, c) +
                               " is NaN, infinite or outside float's range; matrices hold finite "
                               "numbers only, so replace it by one");
            }
        }
    return m;
}

std::string formatNpy(const Matrix& m) {
    if (m.size() == 0)
        throw InputError("an empty matrix cannot be written; give it a row and a column at least");
    std::string bytes = formatNpyHeader(m.rows(), m.cols());
    bytes.reserve(bytes.size() + m.size() * sizeof(float));
    for (int r = 0; r < m.rows(); ++r)
        for (int c = 0; c < m.cols(); ++c) {
            const float value = m(r, c);
            if (!std::isfinite(value)) {
                throw InputError(place(r, c) +
                                 " is not finite; matrices are written with finite numbers only");
            }
            std::uint32_t bits = 0;
            std::memcpy(&bits, &value, sizeof bits);
            for (int shift = 0; shift < 32; shift += 8)
                bytes += static_cast<char>(bits >> shift & 0xFF);
        }
    return bytes;
}

Matrix readNpy(const std::string& path) { return parseNpy(readFile(path), path); }

void writeNpy(const std::string& path, const Matrix& m) { writeFileAtomically(path, formatNpy(m)); }

}  // namespace matrix
