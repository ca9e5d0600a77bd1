// Tells the runtime as what a program takes memory that casts give another type: dynamic shared
// bytes in a kernel, and what the host allocates through a void**.
#include "simulator/translate/translator.h"

namespace translate {

// Returns what comes behind &name[4].member or (name + 4)[0].
std::size_t Translator::endOfOperand(std::size_t i) const {
    while (is(i, "&")) i = after(i);
    i = pass(i);
    for (;;) {
        if (is(i, "[") || is(i, "("))
            i = skipBrackets(i);
        else if (is(i, ".") || is(i, "->"))
            i = after(after(i));
        else
            return i;
    }
}

// Passes (Pair*)name and reinterpret_cast<Pair*>(&name[8]) through a function that notes padding.
void Translator::tellCasts(std::size_t name) {
    for (std::size_t i = before(name); i < tokens_.size();) {
        std::size_t first = i, end = i;
        if (is(i, ")") && is(before(i), "*")) {
            first = openingOf(i);
            end = endOfOperand(after(i));
        } else if (is(i, "(") && is(before(i), ">") && is(before(before(i)), "*")) {
            first = before(openingAngle(before(i)));
            end = skipBrackets(i);
        }
        if (end > i && isWord(is(first, "(") ? after(first) : first) &&
            (is(first, "(") || isAnyOf(first, {"reinterpret_cast", "static_cast"}))) {
            out_[first].insert(0, "::cusim::takenAs(");
            out_[before(end)] += ")";
        } else if (!isAnyOf(i, {"(", "&"})) {
            // A pointer into the memory may be where the next part of it begins.
            if (is(i, "=") && isWord(before(i))) dynamicArrays_.insert(textAt(before(i)));
            return;
        }
        i = before(first);
    }
}

// Keeps the type in cudaMalloc((void**)&table.rows, ...), also with a reinterpret_cast.
void Translator::keepAllocatedType(std::size_t function) {
    const std::size_t first = after(after(function));
    const bool isNamed = is(first, "reinterpret_cast");
    std::size_t i = isNamed ? after(first) : first;
    for (const std::string_view text : {isNamed ? "<" : "(", "void", "*", "*", isNamed ? ">" : ")"})
        if (is(i, text))
            i = after(i);
        else
            return;
    for (std::size_t j = first; j < i; ++j)
        if (tokens_[j].kind != Token::Blank) out_[j].clear();
    out_[first] = "::cusim::detail::OfAnyType{} ->* ";
}

}  // namespace translate
