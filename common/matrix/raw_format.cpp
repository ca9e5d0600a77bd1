#include <charconv>
#include <cmath>
#include <system_error>

#include "matrix/format.h"
#include "matrix/input_error.h"

namespace matrix {

namespace {

// A word of the text and its place; lines and columns count from 1.
struct Token {
    std::string_view text;
    std::size_t line = 1;
    std::size_t column = 1;
};

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// Cuts a text into words separated by blanks, tabs, carriage returns and line ends.
class Scanner {
  public:
    Scanner(std::string_view text, std::string name) : text_(text), name_(std::move(name)) {}

    // Returns the next word on the current line; at its end, an empty text and the place.
    Token nextOnLine() {
        while (position_ < text_.size() && isBlank(text_[position_])) ++position_;
        const std::size_t begin = position_;
        while (position_ < text_.size() && text_[position_] != '\n' && !isBlank(text_[position_]))
            ++position_;
        return {text_.substr(begin, position_ - begin), line_, begin - lineStart_ + 1};
    }

    // Returns the next word on any line; at the end of the text, an empty text and the last place.
    Token next() {
        Token token = nextOnLine();
        while (token.text.empty() && nextLine()) token = nextOnLine();
        return token;
    }

    // Moves to the next line that has a word; returns false if there is none.
    bool nextLine() {
        const std::size_t lineEnd = text_.find('\n', position_);
        const std::size_t word = text_.find_first_not_of(" \t\r\n", lineEnd);
        // At the end the place stays at the last word: a message should point there.
        if (word == std::string_view::npos) return false;
        for (std::size_t i = lineEnd; i < word; ++i) line_ += text_[i] == '\n';
        lineStart_ = text_.rfind('\n', word) + 1;
        position_ = word;
        return true;
    }

    // Returns the number of unread bytes.
    std::size_t remaining() const { return text_.size() - position_; }

    // Throws InputError "name:line:column: sentence"; takes the sentence's parts.
    template <class... Parts>
    [[noreturn]] void fail(const Token& at, const Parts&... sentence) const {
        throw InputError(name_, ":", at.line, ":", at.column, ": ", sentence...);
    }

  private:
    std::string_view text_;
    std::string name_;
    std::size_t position_ = 0;
    std::size_t line_ = 1;
    std::size_t lineStart_ = 0;
};

constexpr const char* kHeaderRemedy = "the first line must be 'rows cols', such as 3 4";

struct RawHeader {
    int rows = 0;
    int cols = 1;
    bool rowsOnly = false;
};

std::string_view withoutPlus(std::string_view text) {
    const bool plus = text.size() > 1 && text[0] == '+' && text[1] != '+' && text[1] != '-';
    return plus ? text.substr(1) : text;
}

int parseSize(const Scanner& scanner, const Token& token) {
    const std::string_view text = withoutPlus(token.text);
    int value = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = rest == text.data() + text.size();
    if (whole && error == std::errc::result_out_of_range && text[0] != '-')
        scanner.fail(token, "the size ", matrix::quoted(token.text), " is larger than 2147483647; ",
                     kHeaderRemedy);
    if (!whole || error != std::errc() || value <= 0)
        scanner.fail(token, matrix::quoted(token.text), " is not a positive whole number; ",
                     kHeaderRemedy);
    return value;
}

RawHeader parseHeader(Scanner& scanner) {
    RawHeader header;
    const Token rows = scanner.next();
    if (rows.text.empty()) scanner.fail(rows, "the text is blank; ", kHeaderRemedy);
    header.rows = parseSize(scanner, rows);
    const Token cols = scanner.nextOnLine();
    header.rowsOnly = cols.text.empty();
    if (header.rowsOnly) return header;
    header.cols = parseSize(scanner, cols);
    const Token extra = scanner.nextOnLine();
    if (!extra.text.empty())
        scanner.fail(extra, matrix::quoted(extra.text), " is a third word in the header; ",
                     kHeaderRemedy);
    return header;
}

// Refuses a header that promises more values than the rest of the file can contain, before memory
// is allocated for them. A value takes at least two bytes: a digit and a blank or newline.
void checkRoom(const Scanner& scanner, const RawHeader& header) {
    const auto values =
        static_cast<unsigned long long>(header.rows) * static_cast<unsigned>(header.cols);
    if (values <= scanner.remaining() / 2) return;
    scanner.fail({}, "the header promises ", header.rows, " x ", header.cols,
                 " values, more than the ", scanner.remaining(),
                 " bytes after it can hold; correct the header or complete the file");
}

float parseValue(const Scanner& scanner, const Token& token) {
    const std::string_view text = withoutPlus(token.text);
    const char* end = text.data() + text.size();
    float value = 0.0F;
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc::invalid_argument || rest != end)
        scanner.fail(token, matrix::quoted(token.text),
                     " is not a number; write decimal numbers such as 1.5, separated by spaces");
    if (error == std::errc::result_out_of_range) {
        // Some libraries report a subnormal float as out of range; double represents it.
        double wide = 0.0;
        const auto again = std::from_chars(text.data(), end, wide);
        value = static_cast<float>(again.ec == std::errc() && std::fabs(wide) < 1.0 ? wide : 0.0);
        if (value == 0.0F)
            scanner.fail(
                token, matrix::quoted(token.text),
                " is outside the range of float; write 0 or a magnitude from 1.2e-38 to 3.4e38");
    }
    if (!std::isfinite(value))
        scanner.fail(token, matrix::quoted(token.text),
                     " is not finite; matrices hold finite numbers only, so replace it by one");
    return value;
}

void parseRow(Scanner& scanner, int row, Matrix& m) {
    for (int c = 0; c < m.cols(); ++c) {
        const Token token = scanner.nextOnLine();
        if (token.text.empty())
            scanner.fail(token, "row ", row, " ends after ", c, " of ", m.cols(),
                         " values; put each complete row on its own line");
        m(row, c) = parseValue(scanner, token);
    }
    const Token extra = scanner.nextOnLine();
    if (!extra.text.empty())
        scanner.fail(extra, "row ", row, " has more than the ", m.cols(),
                     " values that the header promises; remove ", matrix::quoted(extra.text),
                     " or correct the header");
}

void parseRows(Scanner& scanner, Matrix& m) {
    for (int r = 0; r < m.rows(); ++r) {
        if (!scanner.nextLine())
            scanner.fail(scanner.nextOnLine(), "the text ends after ", r, " of ", m.rows(),
                         " rows; add the missing rows or correct the header");
        parseRow(scanner, r, m);
    }
}

void parseColumn(Scanner& scanner, Matrix& m) {
    for (int r = 0; r < m.rows(); ++r) {
        const Token token = scanner.next();
        if (token.text.empty())
            scanner.fail(token, "the text ends after ", r, " of ", m.rows(),
                         " values; add the missing values or correct the header");
        m(r, 0) = parseValue(scanner, token);
    }
}

void refuseBinary(std::string_view text, const std::string& name) {
    if (text.substr(0, 6) == "\x93NUMPY")
        throw InputError(name, ":1:1: this is a NumPy file; rename it so that it ends in .npy");
    const std::size_t nul = text.find('\0');
    if (nul != std::string_view::npos)
        throw InputError(name, ": byte ", nul,
                         " is NUL, so this is a binary file; give a text matrix");
}

}  // namespace

Matrix parseRaw(std::string_view text, const std::string& name) {
    refuseBinary(text, name);
    Scanner scanner(text, name);
    const RawHeader header = parseHeader(scanner);
    checkRoom(scanner, header);
    Matrix m(header.rows, header.cols);
    (header.rowsOnly ? parseColumn : parseRows)(scanner, m);
    const Token extra = scanner.next();
    if (!extra.text.empty())
        scanner.fail(extra, "there is more than the ", m.rows(),
                     header.rowsOnly ? " values" : " rows",
                     " that the header promises; remove the rest or correct the header");
    return m;
}

std::string formatRaw(const Matrix& m) {
    checkWritable(m);
    std::string text = words::joined(m.rows(), " ", m.cols(), "\n");
    text.reserve(text.size() + m.size() * 10);
    char digits[32];
    for (int r = 0; r < m.rows(); ++r)
        for (int c = 0; c < m.cols(); ++c) {
            const auto result = std::to_chars(digits, digits + sizeof digits, m(r, c));
            text.append(digits, result.ptr);
            text += c + 1 < m.cols() ? ' ' : '\n';
        }
    return text;
}

}  // namespace matrix
