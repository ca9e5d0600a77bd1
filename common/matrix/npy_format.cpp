#include <charconv>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "matrix/format.h"
#include "matrix/input_error.h"

namespace matrix {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

// Throws InputError; takes the parts of the cause.
template <class... Parts>
[[noreturn]] void failHeader(const std::string& name, const Parts&... cause) {
    throw InputError(name, ": ", cause..., "; save it again with numpy.save");
}

struct Header {
    std::string descr;  // the type of a value as NumPy writes it, such as "<f4"
    bool fortranOrder = false;
    std::vector<std::size_t> shape;
};

// Reads the Python dictionary of the header, such as
//   {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
// Accepts only the forms that NumPy writes, in any order and with any blanks.
class DictionaryReader {
  public:
    DictionaryReader(std::string_view text, std::string name)
        : text_(text), name_(std::move(name)) {}

    Header read() {
        expect('{');
        while (!take('}')) {
            const std::string key = readString();
            expect(':');
            readEntry(key);
            if (!take(',') && peek() != '}') failHere();
        }
        peek();
        if (position_ < text_.size()) failHere();
        if (!descr_ || !order_ || !shape_)
            failHeader(name_, "the header lacks 'descr', 'fortran_order' or 'shape'");
        return {*descr_, *order_, *shape_};
    }

  private:
    void readEntry(const std::string& key) {
        if (key == "descr") {
            // A list is a record type: several fields per value.
            if (peek() == '[')
                failHeader(name_,
                           "its values are records, but only float32 and float64 can be read");
            descr_ = readString();
        } else if (key == "fortran_order") {
            order_ = readBool();
        } else if (key == "shape") {
            shape_ = readShape();
        } else {
            failHeader(name_, "the header has an unknown key at its byte ", position_);
        }
    }

    char peek() {
        while (position_ < text_.size() && (text_[position_] == ' ' || text_[position_] == '\n'))
            ++position_;
        return position_ < text_.size() ? text_[position_] : '\0';
    }
    bool take(char c) {
        if (peek() != c) return false;
        ++position_;
        return true;
    }
    void expect(char c) {
        if (!take(c)) failHere();
    }
    std::string readString() {
        const char quote = peek();
        if (quote != '\'' && quote != '"') failHere();
        const std::size_t begin = ++position_;
        const std::size_t end = text_.find(quote, begin);
        if (end == std::string_view::npos) failHere();
        position_ = end + 1;
        return std::string(text_.substr(begin, end - begin));
    }
    bool readBool() {
        peek();
        for (const std::string_view word : {"True", "False"})
            if (text_.substr(position_, word.size()) == word) {
                position_ += word.size();
                return word == "True";
            }
        failHere();
    }
    std::vector<std::size_t> readShape() {
        std::vector<std::size_t> shape;
        expect('(');
        while (!take(')')) {
            peek();
            const char* begin = text_.data() + position_;
            std::size_t extent = 0;
            const auto result = std::from_chars(begin, text_.data() + text_.size(), extent);
            if (result.ec != std::errc()) failHere();
            position_ += static_cast<std::size_t>(result.ptr - begin);
            shape.push_back(extent);
            if (!take(',') && peek() != ')') failHere();
        }
        return shape;
    }
    [[noreturn]] void failHere() {
        failHeader(name_, "the header is malformed at its byte ", position_);
    }

    std::string_view text_;
    std::string name_;
    std::size_t position_ = 0;
    std::optional<std::string> descr_;
    std::optional<bool> order_;
    std::optional<std::vector<std::size_t>> shape_;
};

// Returns the little-endian number in all of these bytes.
template <class Bits>
Bits littleEndian(std::string_view bytes) {
    Bits bits = 0;
    for (std::size_t i = bytes.size(); i > 0; --i)
        bits = static_cast<Bits>(bits << 8 | static_cast<unsigned char>(bytes[i - 1]));
    return bits;
}

// Reads magic, version and dictionary, and takes them off the bytes.
Header takeHeader(std::string_view& bytes, const std::string& name) {
    if (bytes.substr(0, kMagic.size()) != kMagic)
        throw InputError(name,
                         ": this is not a NumPy file: it does not begin with \\x93NUMPY; give a "
                         ".npy file, or name a text matrix .raw");
    const char* const cutShort = "the file ends within its header";
    if (bytes.size() < 8) failHeader(name, cutShort);
    const int major = static_cast<unsigned char>(bytes[6]);
    const int minor = static_cast<unsigned char>(bytes[7]);
    if (major < 1 || major > 3 || minor != 0)
        failHeader(name, "version ", major, ".", minor,
                   " of the format is unknown (1.0, 2.0 and 3.0 can be read)");
    const std::size_t lengthBytes = major == 1 ? 2 : 4;
    const std::size_t begin = 8 + lengthBytes;
    if (bytes.size() < begin) failHeader(name, cutShort);
    const auto length = littleEndian<std::size_t>(bytes.substr(8, lengthBytes));
    if (bytes.size() - begin < length) failHeader(name, cutShort);
    Header header = DictionaryReader(bytes.substr(begin, length), name).read();
    bytes.remove_prefix(begin + length);
    return header;
}

// Returns a header, version 1.0, for rows x cols values of '<f4' in C order, padded to 64 bytes.
std::string formatHeader(int rows, int cols) {
    std::string dictionary = words::joined("{'descr': '<f4', 'fortran_order': False, 'shape': (",
                                           rows, ", ", cols, "), }");
    // The format wants the values at a multiple of 64 bytes, after a newline.
    constexpr std::size_t kAlignment = 64;
    constexpr std::size_t kFixed = 10;
    while ((kFixed + dictionary.size() + 1) % kAlignment != 0) dictionary += ' ';
    dictionary += '\n';
    return words::joined(kMagic, '\x01', '\0', static_cast<char>(dictionary.size() & 0xFF),
                         static_cast<char>(dictionary.size() >> 8), dictionary);
}

// Throws InputError; takes the parts of the sentence.
template <class... Parts>
[[noreturn]] void fail(const std::string& name, const Parts&... sentence) {
    throw InputError(name, ": ", sentence...);
}

std::size_t valueBytes(const std::string& descr, const std::string& name) {
    if (descr == "<f4") return 4;
    if (descr == "<f8") return 8;
    if (descr == ">f4" || descr == ">f8")
        fail(name, "its values are big-endian (", matrix::quoted(descr),
             "); save it again as little-endian with astype('<f4')");
    fail(name, "its values have the type ", matrix::quoted(descr),
         "; save it again as float32 with astype('<f4')");
}

struct Shape {
    std::size_t rows = 0;
    std::size_t cols = 1;
};

Shape matrixShape(const std::vector<std::size_t>& extents, const std::string& name) {
    if (extents.empty() || extents.size() > 2)
        fail(name, "it has ", extents.size(), " dimensions; save a matrix (2) or a vector (1)");
    const Shape shape{extents[0], extents.size() == 2 ? extents[1] : 1};
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
        fail(name, "the file is cut short: its header promises ", values, " values of ", bytesEach,
             " bytes, but ", got, " bytes follow; save or copy it again");
    if (got != values * bytesEach)
        fail(name, got - values * bytesEach, " bytes follow the last value; save or copy it again");
}

// Returns the number that has these bits.
template <class Number, class Bits>
Number numberOf(Bits bits) {
    Number number = 0;
    std::memcpy(&number, &bits, sizeof number);
    return number;
}

float loadValue(std::string_view bytes) {
    if (bytes.size() == 4) return numberOf<float>(littleEndian<std::uint32_t>(bytes));
    const auto wide = numberOf<double>(littleEndian<std::uint64_t>(bytes));
    // Values from half a step above the largest float round to no float, and C++ leaves their
    // conversion undefined.
    constexpr double kFirstTooLarge = 0x1.ffffffp127;
    if (!(std::fabs(wide) < kFirstTooLarge)) return std::isnan(wide) ? NAN : INFINITY;
    return static_cast<float>(wide);
}

}  // namespace

Matrix parseNpy(std::string_view bytes, const std::string& name) {
    const Header header = takeHeader(bytes, name);
    const std::size_t bytesEach = valueBytes(header.descr, name);
    const Shape shape = matrixShape(header.shape, name);
    checkLength(bytes.size(), shape.rows * shape.cols, bytesEach, name);

    Matrix m(static_cast<int>(shape.rows), static_cast<int>(shape.cols));
    for (int r = 0; r < m.rows(); ++r)
        for (int c = 0; c < m.cols(); ++c) {
            const auto row = static_cast<std::size_t>(r);
            const auto col = static_cast<std::size_t>(c);
            const std::size_t i =
                header.fortranOrder ? col * shape.rows + row : row * shape.cols + col;
            m(r, c) = loadValue(bytes.substr(i * bytesEach, bytesEach));
            if (!std::isfinite(m(r, c)))
                fail(name, "row ", r, ", column ", c,
                     " is NaN, infinite or outside float's range; matrices hold finite numbers "
                     "only, so replace it by one");
        }
    return m;
}

std::string formatNpy(const Matrix& m) {
    checkWritable(m);
    std::string bytes = formatHeader(m.rows(), m.cols());
    bytes.reserve(bytes.size() + m.size() * sizeof(float));
    for (std::size_t i = 0; i < m.size(); ++i) {
        std::uint32_t bits = 0;
        std::memcpy(&bits, m.data() + i, sizeof bits);
        for (int shift = 0; shift < 32; shift += 8)
            bytes += static_cast<char>(bits >> shift & 0xFF);
    }
    return bytes;
}

}  // namespace matrix
