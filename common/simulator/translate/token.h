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
    // The file of a preprocessed text's token, as the text writes it between quotes; else empty.
    std::string_view file = {};
};

// Returns all of the text as tokens, in order: put together, their texts are the text again. Blanks
// and comments are Blank; a preprocessor line is one Directive.
std::vector<Token> tokenize(std::string_view text);

// Does the same with what a preprocessor wrote. Its line markers give the tokens file and line;
// they are Blank, and so is all that comes from the system's headers or from files whose name
// begins with `ownHeaders`.
std::vector<Token> tokenizePreprocessed(std::string_view text, std::string_view ownHeaders);

}  // namespace translate
