// Splits C++ into tokens, just finely enough to tell code from comments, strings and character
// literals ([lex] in the standard), since the translator changes code only.
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

// Returns all of the text as tokens, in order: put together, their texts are the text again. Blanks
// and comments are Blank; a preprocessor line is one Directive.
std::vector<Token> tokenize(std::string_view text);

}  // namespace translate
