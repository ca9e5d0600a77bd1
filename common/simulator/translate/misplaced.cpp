// Refuses, as nvcc does, what a C++ compiler would accept, for which CUDA's words mean nothing.
// Refuses only what the text leaves no doubt about.
#include "simulator/translate/translator.h"
#include "text/joined.h"

namespace translate {

// A device variable inside a function, and a kernel that is called.

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
        angles += anglesAt(i);
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
        if (isName(previous) || is(previous, "*") || closesAngle(previous) || isReference(previous))
            return false;
    }
    return true;
}

bool Translator::isCallOfKernel(std::size_t name) const {
    return isWord(name) && kernelNames_.count(name) == 0 &&
           kernels_.count(std::string(textAt(name))) != 0 && isCall(name) &&
           isOnlyAKernel(textAt(name));
}

// A launch of a function that is declared without __global__; the launch itself refuses what is not
// certain here (see api/launch_limits.cpp).

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
    const bool declares = isAnyOf(previous, {"*", "&", ">", ">>>"}) || isName(previous);
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
               words::joined(kernel, " is declared without it in line ", line));
}

// A device variable that host code passes to a kernel by its name. On a card that is the address of
// the host's own copy, which no kernel may use; here the two are one.

// Returns the name in an argument that is only a device array's name or a device variable's
// address; the end for any other argument.
std::size_t Translator::passedVariable(std::size_t first, std::size_t end) const {
    std::size_t i = first;
    // (float*)Mc
    while (is(i, "(") && is(before(before(skipBrackets(i))), "*")) i = skipBrackets(i);
    const bool address = is(i, "&");
    if (address) i = after(i);
    const auto found = deviceVariables_.find(textAt(i));
    if (i >= end || after(i) != end || !isWord(i) || found == deviceVariables_.end())
        return tokens_.size();
    return address || is(after(found->second), "[") ? i : tokens_.size();
}

// Tests whether the name may mean something else in the function or type whose { stands at `body`.
bool Translator::mayMeanAnother(std::string_view name, std::size_t body) const {
    for (const Token& token : tokens_)
        if (token.kind == Token::Directive && token.text.find(name) != std::string_view::npos)
            return true;
    std::size_t head = body;
    for (std::size_t i = before(body); i < tokens_.size(); i = before(i)) {
        if (isAnyOf(i, {";", "}", "{"})) break;
        // Members of a type may have the name, and device code may pass it.
        if (isAnyOf(i, {"struct", "class", "__device__", "__global__"})) return true;
        if (is(i, "::") && !is(before(i), "std")) return true;
        head = i;
    }
    const std::size_t end = skipBrackets(body);
    for (std::size_t i = head; i < end; i = after(i)) {
        if (is(i, "__device__")) return true;  // a lambda for the device
        if (textAt(i) != name || !isWord(i) || isOnlyMeasured(i)) continue;
        const std::size_t previous = before(i), open = openingAround(i);
        // int n, Mc;   but not Pair pair = {n, Mc};
        const bool another = is(previous, ",") && is(open, "{") &&
                             !isAnyOf(before(open), {"=", ","}) && !isName(before(open));
        if (isName(previous) || isReference(previous) || another ||
            isAnyOf(previous, {"*", "&&", ">", ">>>", "::", "[", "."}))
            return true;
    }
    return false;
}

// Tests for sizeof(name), sizeof *name and the like.
bool Translator::isOnlyMeasured(std::size_t i) const {
    do i = before(i);
    while (!isUnevaluated(i) && isAnyOf(i, {"*", "(", "&"}));
    return isUnevaluated(i);
}

// Returns the bracket around i, or the end if there is none.
std::size_t Translator::openingAround(std::size_t i) const {
    int depth = 0;
    do {
        i = before(i);
        depth += closes(i) - opens(i);
    } while (i < tokens_.size() && depth >= 0);
    return i;
}

// Tests for the symbol in cudaMemcpyToSymbol(name, ...), cudaMemcpyFromSymbol(p, name, ...) and the
// like, which get the device's variable.
bool Translator::isSymbolOfCall(std::size_t name) const {
    const std::string_view callee = textAt(before(openingAround(name)));
    const bool isFirst = callee.find("ToSymbol") != std::string_view::npos;
    return callee.find("Symbol") != std::string_view::npos &&
           is(before(name), isFirst ? "(" : ",") && isAnyOf(after(name), {",", ")"});
}

// Tests for a variable of the host outside of functions, whose first value has the name.
bool Translator::startsHostsValue(std::size_t name) const {
    bool isValue = false;
    for (std::size_t i = before(name); !startsDeclaration(i); i = before(i)) {
        if (isAnyOf(i, {"__device__", "__constant__", "__managed__", "__global__", "template",
                        "constexpr"}))
            return false;
        isValue |= is(i, "=");
    }
    return isValue;
}

// Turns a device variable's name in host code into the host's copy, whose address is another one.
// Leaves constants alone: nvcc knows their value on both sides.
bool Translator::nameOnHost(std::size_t name, std::size_t body, bool outside) {
    const auto found = deviceVariables_.find(textAt(name));
    if (!isWord(name) || found == deviceVariables_.end()) return false;
    for (std::size_t i = found->second; !startsDeclaration(i); i = before(i))
        if (isAnyOf(i, {"const", "constexpr"})) return false;
    const std::size_t previous = is(before(name), "&") ? before(before(name)) : before(name);
    if (is(previous, "<") || isOnlyMeasured(name) || isSymbolOfCall(name)) return false;
    if (outside ? !startsHostsValue(name) : mayMeanAnother(textAt(name), body)) return false;
    out_[name] = words::joined("cusimRegistered_", textAt(name), ".onHost()");
    return true;
}

void Translator::refusePassedVariables(std::size_t open, std::size_t body) const {
    std::size_t i = open;
    while (i < tokens_.size() && !is(i, ">>>")) i = after(i);
    const std::size_t close = before(skipBrackets(after(i)));
    for (std::size_t first = after(after(i)); first < close;) {
        std::size_t end = first;
        while (end < close && !is(end, ",")) end = pass(end);
        const std::size_t name = passedVariable(first, end);
        if (name < tokens_.size() && !mayMeanAnother(textAt(name), body)) {
            const std::string variable{textAt(name)};
            refuse(name, "host code passes " + variable + ", a variable of the device",
                   "a kernel sees " + variable + " by its name; take it out of the launch");
        }
        first = after(end);
    }
}

// Refuses a kernel that is declared to return a number or a pointer.
void Translator::refuseResult(std::size_t global, std::size_t name) const {
    int angles = 0;
    const std::size_t first = isWord(before(global)) ? before(global) : global;
    for (std::size_t i = first; i < name; i = pass(i)) {
        angles += anglesAt(i);
        if (angles == 0 && isAnyOf(i, {"int", "float", "double", "bool", "char", "long", "short",
                                       "unsigned", "size_t", "*"}))
            refuse(i, "a __global__ function must have a void return type",
                   "write void, and let the kernel store its result through a pointer");
    }
}

}  // namespace translate
