// Just enough of C++'s lexical grammar to tell code from comments, strings and character
// literals ([lex] in the standard): the translator changes code only.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace translate {

struct Token {
    enum Kind { Word, Number, Literal, Symbol, Blank, Directive } kind;
    std::string_view text;
    int line;  // of its first character, from 1
};

// All of the text, in order, so that the tokens' texts put together are the text again. Blanks
// and comments are Blank; a preprocessor line is one Directive.
std::vector<Token> tokenize(std::string_view text);

}  // namespace translate
