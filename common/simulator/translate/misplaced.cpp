// Refuses a device variable inside a function and a kernel that is called. nvcc refuses both too; a
// C++ compiler, for which CUDA's words mean nothing, would accept them. Refuses only what the text
// leaves no doubt about.
#include "simulator/translate/translator.h"

namespace translate {

// Returns the name of a variable declared in a function, as in __device__ int a[10]; or the end for
// what may stand there: a function, also of a class, a lambda, or a variable of another file.
std::size_t Translator::localVariable(std::size_t qualifier) const {
    const std::size_t none = tokens_.size();
    std::size_t first = qualifier;
    while (isWord(before(first))) first = before(first);
    const std::size_t end = before(first);
    if (!isAnyOf(end, {";", "{", "}", ":"})) return none;
    std::size_t name = none;
    int angles = 0;
    for (std::size_t i = first; i < tokens_.size(); i = after(i)) {
        if (isAlignment(i) || is(i, "decltype")) {
            i = before(skipBrackets(after(i)));
            continue;
        }
        if (isAnyOf(i, {"extern", "friend", "typedef", "operator", "__shared__"})) return none;
        angles += is(i, "<") - is(i, ">");
        if (angles > 0) continue;
        if (is(i, "(")) return startsWithNumber(after(i)) ? name : none;
        if (isAnyOf(i, {"[", "{", "=", ",", ";"})) return name;
        if (isWord(i)) name = i;
    }
    return none;
}

void Translator::refuseLocalVariable(std::size_t qualifier) const {
    const std::size_t name = localVariable(qualifier);
    if (name == tokens_.size()) return;
    const std::string keyword{textAt(qualifier)}, variable{textAt(name)};
    bool isStatic = false;
    for (std::size_t i = before(name); isWord(i); i = before(i)) isStatic |= is(i, "static");
    // nvcc accepts it; on the simulated device it would lie where no kernel may reach.
    if (isStatic)
        refuse(qualifier,
               "a static " + keyword +
                   " variable inside a function is not supported on the simulated device",
               "move " + variable + " out of it, where it is one for the whole grid, too");
    refuse(qualifier, "a " + keyword + " variable stands outside of functions",
           "move " + variable + " there; without " + keyword + " each thread has one");
}

// Tests for a call, which has no type in front: with one it would be a declaration.
bool Translator::isCall(std::size_t name) const {
    std::size_t open = after(name);
    // k<16>(p), but not k<<grid, block>>(p), in which a sign was forgotten.
    if (is(open, "<") && !is(after(open), "<")) open = after(closingAngle(open));
    std::size_t i = before(name);
    while (is(i, "::")) i = isName(before(i)) ? before(before(i)) : before(i);
    return is(open, "(") &&
           isAnyOf(i, {"return", "else", "do", ";", "{", "}", ")", "(", ",", "=", "?", ":"});
}

// Tests that nothing else in the file has the name: no variable, and no function beside the kernel.
bool Translator::isOnlyAKernel(std::string_view kernel) const {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
        const Token& token = tokens_[i];
        if (token.kind == Token::Directive && token.text.find(kernel) != std::string_view::npos)
            return false;
        if (token.kind != Token::Word || token.text != kernel || kernelNames_.count(i) != 0)
            continue;
        const std::size_t previous = before(i);
        if (isName(previous) || is(previous, "*") || is(previous, ">") || isReference(previous))
            return false;
    }
    return true;
}

bool Translator::isCallOfKernel(std::size_t name) const {
    return isWord(name) && kernelNames_.count(name) == 0 &&
           kernels_.count(std::string(textAt(name))) != 0 && isCall(name) &&
           isOnlyAKernel(textAt(name));
}

}  // namespace translate
