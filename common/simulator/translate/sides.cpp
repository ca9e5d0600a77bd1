// Refuses calls of a host function from the device and of a device function from the host, as nvcc
// does. Refuses only what the text leaves no doubt about: between functions declared outside of
// types and #if, with plain words, in a file without headers of its own.
#include <algorithm>
#include <array>
#include <utility>

#include "simulator/translate/translator.h"

namespace translate {

namespace {

constexpr int kHost = 1, kDevice = 2;

// Tests for a word of such a declaration, beside __host__, __device__ and __global__. Any other may
// be a macro that stands for one of these.
bool isPlainWord(std::string_view word) {
    constexpr std::array<std::string_view, 17> kWords = {
        "void",   "bool",         "char",           "short",    "int",   "long",   "float",
        "double", "signed",       "size_t",         "unsigned", "const", "static", "inline",
        "extern", "__noinline__", "__forceinline__"};
    return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

}  // namespace

// Returns the sides for which a function is declared here; 0 if `name` is not a declared function,
// or if a word in front of it is unknown.
int Translator::sidesOf(std::size_t name) const {
    int sides = 0;
    bool hasType = false;
    std::size_t i = before(name);
    for (; i < tokens_.size(); i = before(i))
        if (is(i, "__host__"))
            sides |= kHost;
        else if (is(i, "__device__") || is(i, "__global__"))
            sides |= kDevice;
        else if (is(i, ")") && is(before(openingOf(i)), "__launch_bounds__"))
            i = before(openingOf(i));
        else if (is(before(openingAngle(i)), "template"))
            i = before(openingAngle(i));
        else if (isPlainWord(textAt(i)))
            hasType = true;
        else if (!is(i, "*") && !is(i, "&") && tokens_[i].kind != Token::Literal)
            break;
    const std::size_t end = skipBrackets(after(name));
    if (!startsDeclaration(i) || !hasType || (!is(end, "{") && !is(end, ";"))) return 0;
    return sides == 0 ? kHost : sides;
}

// Tests for a call in a function's body, also after an operator that could be part of a type.
bool Translator::isUseInside(std::size_t name) const {
    const std::size_t previous = before(name);
    if (!is(after(name), "(") || isAnyOf(previous, {".", "->", "::"}) || isUnevaluated(previous))
        return false;
    if (!is(previous, "*") && !is(previous, "&")) return isUse(name);
    const std::size_t left = before(previous);
    return is(left, ")") || is(left, "]") || (isName(left) && !isPlainWord(textAt(left)));
}

// Returns the sides of each function, from all its declarations. Leaves out names that may mean
// something else.
std::map<std::string_view, int> Translator::sidesOfFunctions() const {
    std::map<std::string_view, int> sides;
    // The device has functions of these names, too; the parameters decide which one is meant.
    std::set<std::string_view> doubtful{"min", "max", "abs"};
    Scope scope(*this);
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
        scope.pass(i);
        if (tokens_[i].kind == Token::Directive) {
            if (includesOwnHeader(i)) return {};
            for (const Token& token : tokenize(textAt(i).substr(1))) doubtful.insert(token.text);
        } else if (isWord(i)) {
            const bool outside = scope.certainlyOutside() && is(after(i), "(");
            const int declared = outside ? sidesOf(i) : 0;
            if (declared != 0)
                sides[textAt(i)] |= declared;
            else if (!isUseInside(i))
                doubtful.insert(textAt(i));
        }
    }
    for (const std::string_view name : doubtful) sides.erase(name);
    return sides;
}

void Translator::refuseCallsAcross() const {
    const std::map<std::string_view, int> sides = sidesOfFunctions();
    const HostNames host = hostNames();
    Scope scope(*this);
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
        scope.pass(i);
        if (!isWord(i) || !scope.certainlyOutside() || !is(after(i), "(")) continue;
        const std::size_t open = skipBrackets(after(i));
        const int caller = sidesOf(i);
        if (!is(open, "{") || (caller != kHost && caller != kDevice)) continue;
        refuseCallsAcross(open, caller, sides, host);
    }
}

void Translator::refuseCallsAcross(std::size_t open, int caller,
                                   const std::map<std::string_view, int>& sides,
                                   const HostNames& host) const {
    const std::size_t end = skipBrackets(open);
    // With a ) or ] missing, the functions below seem to be inside: the compiler names the line.
    if (!bracketsMatch(open, end)) return;
    // A lambda or a type in a host function may hold code for the device.
    for (std::size_t i = open; i < end; ++i)
        if (is(i, "__device__") || is(i, "__host__")) return;
    if (caller == kDevice) refuseHostCalls(open, host);
    Scope scope(*this);
    for (std::size_t i = open; i < end; ++i) {
        scope.pass(i);
        const auto callee = sides.find(textAt(i));
        if (scope.inCondition() || !isWord(i) || callee == sides.end()) continue;
        if (!isUseInside(i) || callee->second != (kHost | kDevice) - caller) continue;
        const std::string name{callee->first};
        if (caller == kDevice)
            refuse(i, name + " is a function of the host",
                   needsTheHost(name, host)
                       ? "a kernel cannot call it; the host calls the kernel"
                       : "a kernel cannot call it; write __device__ in front of " + name);
        if (kernels_.count(name) == 0)
            refuse(i, name + " is a function of the device",
                   "the host cannot call it; write __host__ __device__ in front of " + name);
    }
}

}  // namespace translate
