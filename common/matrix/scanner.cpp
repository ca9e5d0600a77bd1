#include "matrix/scanner.h"

#include "matrix/input_error.h"

namespace matrix {

namespace {

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

}  // namespace

void Scanner::skipBlanks() {
    while (position_ < text_.size() && isBlank(text_[position_])) ++position_;
}

Token Scanner::here() const { return {{}, line_, position_ - lineStart_ + 1}; }

Token Scanner::nextOnLine() {
    skipBlanks();
    Token token = here();
    const std::size_t begin = position_;
    while (position_ < text_.size() && text_[position_] != '\n' && !isBlank(text_[position_]))
        ++position_;
    token.text = text_.substr(begin, position_ - begin);
    return token;
}

Token Scanner::next() {
    Token token = nextOnLine();
    while (token.text.empty() && nextLine()) token = nextOnLine();
    return token;
}

bool Scanner::nextLine() {
    std::size_t position = position_;
    std::size_t line = line_;
    std::size_t lineStart = lineStart_;
    while (position < text_.size() && text_[position] != '\n') ++position;
    while (position < text_.size() && (text_[position] == '\n' || isBlank(text_[position]))) {
        if (text_[position] == '\n') {
            ++line;
            lineStart = position + 1;
        }
        ++position;
    }
    // At the end the place stays at the last word, where a message should point.
    if (position == text_.size()) return false;
    position_ = position;
    line_ = line;
    lineStart_ = lineStart;
    return true;
}

void Scanner::fail(const Token& at, const std::string& sentence) const {
    throw InputError(name_ + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) +
                     ": " + sentence);
}

std::string quoted(std::string_view text) {
    constexpr std::size_t kLongest = 24;
    std::string shown = "'";
    for (const char c : text.substr(0, kLongest)) shown += (c >= ' ' && c <= '~') ? c : '?';
    shown += text.size() > kLongest ? "...'" : "'";
    return shown;
}

}  // namespace matrix
