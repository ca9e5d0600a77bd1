#include "matrix/npy_header.h"

#include <charconv>

#include "matrix/input_error.h"

namespace matrix {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr const char* kRemedy = "; save it again with numpy.save";

[[noreturn]] void fail(const std::string& name, const std::string& cause) {
    throw InputError(name + ": " + cause + kRemedy);
}

// Reads the Python dictionary of the header, such as
//   {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
// Accepts only the forms that NumPy writes, in any order and with any blanks.
class DictionaryReader {
  public:
    DictionaryReader(std::string_view text, std::string name)
        : text_(text), name_(std::move(name)) {}

    void read(NpyHeader& header) {
        expect('{');
        while (!take('}')) {
            const std::string key = readString();
            expect(':');
            readEntry(key, header);
            if (!take(',') && peek() != '}') failHere();
        }
        if (peek() != '\0') failHere();
        if (!descr_ || !order_ || !shape_)
            fail(name_, "the header lacks 'descr', 'fortran_order' or 'shape'");
    }

  private:
    void readEntry(const std::string& key, NpyHeader& header) {
        if (key == "descr") {
            // A list is a record type: several fields a value.
            if (peek() == '[')
                fail(name_, "its values are records, but only float32 and float64 can be read");
            header.descr = readString();
            descr_ = true;
        } else if (key == "fortran_order") {
            header.fortranOrder = readBool();
            order_ = true;
        } else if (key == "shape") {
            header.shape = readShape();
            shape_ = true;
        } else {
            fail(name_, "the header has an unknown key at its byte " + std::to_string(position_));
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
        fail(name_, "the header is malformed at its byte " + std::to_string(position_));
    }

    std::string_view text_;
    std::string name_;
    std::size_t position_ = 0;
    bool descr_ = false;
    bool order_ = false;
    bool shape_ = false;
};

std::size_t littleEndian(std::string_view bytes) {
    std::size_t value = 0;
    for (std::size_t i = bytes.size(); i > 0; --i)
        value = value << 8 | static_cast<unsigned char>(bytes[i - 1]);
    return value;
}

}  // namespace

NpyHeader parseNpyHeader(std::string_view bytes, const std::string& name) {
    if (bytes.substr(0, kMagic.size()) != kMagic)
        throw InputError(name +
                         ": this is no NumPy file, for it does not begin with \\x93NUMPY; give a "
                         ".npy file, or name a text matrix .raw");
    if (bytes.size() < 8) fail(name, "the file ends within its header");
    const int major = static_cast<unsigned char>(bytes[6]);
    const int minor = static_cast<unsigned char>(bytes[7]);
    if (major < 1 || major > 3 || minor != 0)
        fail(name, "version " + std::to_string(major) + "." + std::to_string(minor) +
                       " of the format is unknown (1.0, 2.0 and 3.0 can be read)");
    const std::size_t lengthBytes = major == 1 ? 2 : 4;
    const std::size_t begin = 8 + lengthBytes;
    if (bytes.size() < begin) fail(name, "the file ends within its header");
    const std::size_t length = littleEndian(bytes.substr(8, lengthBytes));
    if (bytes.size() - begin < length) fail(name, "the file ends within its header");

    NpyHeader header;
    header.dataOffset = begin + length;
    DictionaryReader(bytes.substr(begin, length), name).read(header);
    return header;
}

std::string formatNpyHeader(int rows, int cols) {
    std::string dictionary = "{'descr': '<f4', 'fortran_order': False, 'shape': (" +
                             std::to_string(rows) + ", " + std::to_string(cols) + "), }";
    // The format wants the values at a multiple of 64 bytes, after a newline.
    constexpr std::size_t kAlignment = 64;
    constexpr std::size_t kFixed = 10;
    while ((kFixed + dictionary.size() + 1) % kAlignment != 0) dictionary += ' ';
    dictionary += '\n';
    std::string head(kMagic);
    head += '\x01';
    head += '\0';
    head += static_cast<char>(dictionary.size() & 0xFF);
    head += static_cast<char>(dictionary.size() >> 8);
    return head + dictionary;
}

}  // namespace matrix
