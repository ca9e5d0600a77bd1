#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace matrix {

// A word of the text and its place; lines and columns count from 1.
struct Token {
    std::string_view text;
    std::size_t line = 1;
    std::size_t column = 1;
};

// Cuts a text into words separated by blanks, tabs, carriage returns and line ends.
class Scanner {
  public:
    Scanner(std::string_view text, std::string name) : text_(text), name_(std::move(name)) {}

    // Returns the next word on the current line; at its end, an empty text and the place.
    Token nextOnLine();

    // Returns the next word on any line; at the end of the text, an empty text and the last place.
    Token next();

    // Moves to the next line that holds a word; returns false where there is none.
    bool nextLine();

    // Returns the number of unread bytes.
    std::size_t remaining() const { return text_.size() - position_; }

    // Throws InputError "name:line:column: sentence".
    [[noreturn]] void fail(const Token& at, const std::string& sentence) const;

  private:
    void skipBlanks();
    Token here() const;

    std::string_view text_;
    std::string name_;
    std::size_t position_ = 0;
    std::size_t line_ = 1;
    std::size_t lineStart_ = 0;
};

// Quotes text for a message: at most 24 bytes, the unprintable ones as '?'.
std::string quoted(std::string_view text);

}  // namespace matrix
