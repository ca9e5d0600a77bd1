#include "matrix/raw_format.h"

#include <charconv>
#include <cmath>
#include <system_error>

#include "matrix/file_io.h"
#include "matrix/input_error.h"
#include "matrix/scanner.h"

namespace matrix {

namespace {

constexpr const char* kHeaderRemedy = "the first line must be 'rows cols', such as 3 4";

struct Header {
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
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = result.ptr == text.data() + text.size();
    if (whole && result.ec == std::errc::result_out_of_range && text[0] != '-')
        scanner.fail(token, "the size " + quoted(token.text) + " is larger than 2147483647; " +
                                kHeaderRemedy);
    if (!whole || result.ec != std::errc() || value <= 0)
        scanner.fail(token,
                     quoted(token.text) + " is not a positive whole number; " + kHeaderRemedy);
    return value;
}

Header parseHeader(Scanner& scanner) {
    Header header;
    const Token rows = scanner.next();
    if (rows.text.empty()) scanner.fail(rows, std::string("the text is blank; ") + kHeaderRemedy);
    header.rows = parseSize(scanner, rows);
    const Token cols = scanner.nextOnLine();
    header.rowsOnly = cols.text.empty();
    if (header.rowsOnly) return header;
    header.cols = parseSize(scanner, cols);
    const Token extra = scanner.nextOnLine();
    if (!extra.text.empty())
        scanner.fail(extra,
                     quoted(extra.text) + " is a third word in the header; " + kHeaderRemedy);
    return header;
}

// Refuses a header that promises more values than the rest of the file can hold, before memory is
// allocated for them. A value takes two bytes at least: a digit and a blank or newline.
void checkRoom(const Scanner& scanner, const Header& header) {
    const auto values =
        static_cast<unsigned long long>(header.rows) * static_cast<unsigned>(header.cols);
    if (values <= scanner.remaining() / 2) return;
    scanner.fail({}, "the header promises " + std::to_string(header.rows) + " x " +
                         std::to_string(header.cols) + " values, more than the " +
                         std::to_string(scanner.remaining()) +
                         " bytes after it can hold; correct the header or complete the file");
}

[[noreturn]] void failOutOfRange(const Scanner& scanner, const Token& token) {
    scanner.fail(token, quoted(token.text) +
                            " is outside the range of float; write 0 or a magnitude from "
                            "1.2e-38 to 3.4e38");
}

float parseValue(const Scanner& scanner, const Token& token) {
    const std::string_view text = withoutPlus(token.text);
    const char* end = text.data() + text.size();
    float value = 0.0F;
    const auto result = std::from_chars(text.data(), end, value);
    if (result.ec == std::errc::invalid_argument || result.ptr != end)
        scanner.fail(token, quoted(token.text) +
                                " is no number; write decimal numbers such as 1.5, with blanks "
                                "between");
    if (result.ec == std::errc::result_out_of_range) {
        // Some libraries report a subnormal float as out of range; double holds it.
        double wide = 0.0;
        const auto again = std::from_chars(text.data(), end, wide);
        value = static_cast<float>(again.ec == std::errc() && std::fabs(wide) < 1.0 ? wide : 0.0);
        if (value == 0.0F) failOutOfRange(scanner, token);
    }
    if (!std::isfinite(value))
        scanner.fail(token, quoted(token.text) +
                                " is not finite; matrices hold finite numbers only, so replace "
                                "it by one");
    return value;
}

void parseRow(Scanner& scanner, int row, Matrix& m) {
    for (int c = 0; c < m.cols(); ++c) {
        const Token token = scanner.nextOnLine();
        if (token.text.empty()) {
            scanner.fail(token, "row " + std::to_string(row) + " ends after " + std::to_string(c) +
                                    " of " + std::to_string(m.cols()) +
                                    " values; put each row on a line of its own, complete");
        }
        m(row, c) = parseValue(scanner, token);
    }
    const Token extra = scanner.nextOnLine();
    if (!extra.text.empty())
        scanner.fail(extra, "row " + std::to_string(row) + " has more than the " +
                                std::to_string(m.cols()) +
                                " values that the header promises; remove " + quoted(extra.text) +
                                " or correct the header");
}

void parseRows(Scanner& scanner, Matrix& m) {
    for (int r = 0; r < m.rows(); ++r) {
        if (!scanner.nextLine()) {
            scanner.fail(scanner.nextOnLine(), "the text ends after " + std::to_string(r) + " of " +
                                                   std::to_string(m.rows()) +
                                                   " rows; add the missing rows or correct the "
                                                   "header");
        }
        parseRow(scanner, r, m);
    }
}

void parseColumn(Scanner& scanner, Matrix& m) {
    for (int r = 0; r < m.rows(); ++r) {
        const Token token = scanner.next();
        if (token.text.empty()) {
            scanner.fail(token, "the text ends after " + std::to_string(r) + " of " +
                                    std::to_string(m.rows()) +
                                    " values; add the missing values or correct the header");
        }
        m(r, 0) = parseValue(scanner, token);
    }
}

void refuseBinary(std::string_view text, const std::string& name) {
    if (text.substr(0, 6) == "\x93NUMPY")
        throw InputError(name + ":1:1: this is a NumPy file; rename it so that it ends in .npy");
    const std::size_t nul = text.find('\0');
    if (nul != std::string_view::npos)
        throw InputError(name + ": byte " + std::to_string(nul) +
                         " is NUL, so this is a binary file; give a text matrix");
}

}  // namespace

Matrix parseRaw(std::string_view text, const std::string& name) {
    refuseBinary(text, name);
    Scanner scanner(text, name);
    const Header header = parseHeader(scanner);
    checkRoom(scanner, header);
    Matrix m(header.rows, header.cols);
    if (header.rowsOnly)
        parseColumn(scanner, m);
    else
        parseRows(scanner, m);
    const Token extra = scanner.next();
    if (!extra.text.empty())
        scanner.fail(extra, "there is more than the " + std::to_string(m.rows()) +
                                (header.rowsOnly ? " values" : " rows") +
                                " that the header promises; remove the rest or correct the header");
    return m;
}

std::string formatRaw(const Matrix& m) {
    if (m.size() == 0)
        throw InputError("an empty matrix cannot be written; give it a row and a column at least");
    std::string text = std::to_string(m.rows()) + " " + std::to_string(m.cols()) + "\n";
    text.reserve(text.size() + m.size() * 10);
    char digits[32];
    for (int r = 0; r < m.rows(); ++r)
        for (int c = 0; c < m.cols(); ++c) {
            if (!std::isfinite(m(r, c))) {
                throw InputError("row " + std::to_string(r) + ", column " + std::to_string(c) +
                                 " is not finite; matrices are written with finite numbers only");
            }
            const auto result = std::to_chars(digits, digits + sizeof digits, m(r, c));
            text.append(digits, result.ptr);
            text += c + 1 < m.cols() ? ' ' : '\n';
        }
    return text;
}

Matrix readRaw(const std::string& path) { return parseRaw(readFile(path), path); }

void writeRaw(const std::string& path, const Matrix& m) { writeFileAtomically(path, formatRaw(m)); }

}  // namespace matrix
