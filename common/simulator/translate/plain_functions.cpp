// Refuses a launch of a function that is declared without __global__, as nvcc does. Refuses only
// what the text leaves no doubt about; the launch itself refuses the rest (see api/launch_limits.cpp).
#include "simulator/translate/translator.h"

namespace translate {

// Tests for static inline void name(parameters) { and the like. Any other word in front may be a
// macro that makes the function a kernel.
bool Translator::declaresPlainly(std::size_t name, bool outside) const {
    const std::size_t open = after(name);
    std::size_t i = before(name);
    if (!outside || !is(i, "void") || !is(open, "(")) return false;
    const std::size_t end = skipBrackets(open);
    if (!is(end, "{") && !is(end, ";")) return false;
    do i = before(i);
    while (isAnyOf(i, {"static", "inline", "__device__", "__host__", "__forceinline__"}));
    return startsDeclaration(i);
}

// Tests for a call or a launch, and not Type name(value), which declares a variable.
bool Translator::isUse(std::size_t name) const {
    const std::size_t next = after(name), previous = before(name);
    const bool declares = isAnyOf(previous, {"*", "&", ">"}) || isName(previous);
    return !declares && (is(next, "(") || is(next, "<<<"));
}

// Returns the line that declares the launched function without __global__; 0 if that is uncertain.
int Translator::plainDeclaration(std::string_view kernel) const {
    int line = 0;
    Scope scope(*this);
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
        scope.pass(i);
        // A header of the student's or a macro may say more about the name.
        if (tokens_[i].kind == Token::Directive &&
            (includesOwnHeader(i) || textAt(i).find(kernel) != std::string_view::npos))
            return 0;
        if (isWord(i) && textAt(i) == kernel) {
            const bool declared = declaresPlainly(i, scope.certainlyOutside());
            if (!declared && !isUse(i)) return 0;
            if (declared && line == 0) line = tokens_[i].line;
        }
    }
    return line;
}

void Translator::refusePlainFunction(std::size_t open) const {
    const std::size_t name = before(open);
    if (!isWord(name)) return;
    const std::string kernel{textAt(name)};
    if (kernels_.count(kernel) != 0) return;
    if (const int line = plainDeclaration(kernel))
        refuse(name, "a launch needs a __global__ function",
               kernel + " is declared without it in line " + std::to_string(line));
}

}  // namespace translate
