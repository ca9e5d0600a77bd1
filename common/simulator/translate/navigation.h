// Walks over the tokens of a file, past blanks, comments and preprocessor lines.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

#include "simulator/translate/token.h"

namespace translate {

// Tokens are named by their index; the number of tokens stands for none.
class Walk {
  protected:
    explicit Walk(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

    bool is(std::size_t i, std::string_view text) const {
        return i < tokens_.size() && tokens_[i].text == text && tokens_[i].kind != Token::Literal &&
               tokens_[i].kind != Token::Blank;
    }
    bool isAnyOf(std::size_t i, std::initializer_list<std::string_view> texts) const {
        return std::any_of(texts.begin(), texts.end(),
                           [&](std::string_view text) { return is(i, text); });
    }
    bool isWord(std::size_t i) const {
        return i < tokens_.size() && tokens_[i].kind == Token::Word;
    }
    bool opens(std::size_t i) const { return isAnyOf(i, {"(", "[", "{"}); }
    bool closes(std::size_t i) const { return isAnyOf(i, {")", "]", "}"}); }
    // Returns how many < the token opens, less how many it closes; three > may be one token.
    int anglesAt(std::size_t i) const {
        return is(i, "<") - is(i, ">") + 3 * (is(i, "<<<") - is(i, ">>>"));
    }
    bool closesAngle(std::size_t i) const { return anglesAt(i) < 0; }
    bool blank(std::size_t i) const {
        return tokens_[i].kind == Token::Blank || tokens_[i].kind == Token::Directive;
    }
    std::size_t after(std::size_t i) const {
        do ++i;
        while (i < tokens_.size() && blank(i));
        return i;
    }
    std::size_t before(std::size_t i) const {
        while (i-- > 0)
            if (!blank(i)) return i;
        return tokens_.size();
    }
    std::string_view textAt(std::size_t i) const {
        return i < tokens_.size() ? tokens_[i].text : std::string_view{};
    }

    // Returns the index after the bracket that matches the one at i, or the end if none does.
    std::size_t skipBrackets(std::size_t i) const;
    // The same where a bracket opens at i; else returns what comes after i.
    std::size_t pass(std::size_t i) const { return opens(i) ? skipBrackets(i) : after(i); }
    // Tests whether each bracket from `first` to `last` is closed by one of its kind.
    bool bracketsMatch(std::size_t first, std::size_t last) const;
    // Returns the bracket that matches the closing one at i, or the end if none does.
    std::size_t openingOf(std::size_t i) const;
    // Returns the < that matches the > or >>> at i; the end if i is neither or has no match.
    std::size_t openingAngle(std::size_t i) const;
    // Returns the > or >>> that matches the < at i, or the ; or the end before it.
    std::size_t closingAngle(std::size_t i) const;
    // Returns the number of template arguments or parameters between < and >.
    int countArguments(std::size_t open, std::size_t close) const;

    std::vector<Token> tokens_;
};

}  // namespace translate
