// Refuses in device functions what nvcc refuses there alone and a C++ compiler accepts: functions
// of the standard library that are for the host, and arrays without a constant size.
#include <algorithm>
#include <array>

#include "simulator/translate/translate.h"
#include "simulator/translate/translator.h"

namespace translate {

namespace {

// Recognizes functions of <algorithm>, <numeric> and <utility> that are for the host. Those of
// <cmath>, std::move and std::forward are for both sides.
bool isForHost(std::string_view function) {
    constexpr std::array<std::string_view, 25> kNames = {
        "max",           "min",    "max_element", "min_element", "minmax", "clamp", "swap",
        "exchange",      "fill",   "fill_n",      "copy",        "copy_n", "sort",  "stable_sort",
        "accumulate",    "reduce", "iota",        "reverse",     "count",  "find",  "transform",
        "inner_product", "gcd",    "lcm",         "for_each"};
    return std::find(kNames.begin(), kNames.end(), function) != kNames.end();
}

}  // namespace

// Returns the ) of a function's parameters, where its body begins at `brace`; else another token.
std::size_t Translator::endOfHead(std::size_t brace) const {
    std::size_t i = before(brace);
    while (isAnyOf(i, {"const", "noexcept", "override", "final"})) i = before(i);
    return i;
}

// Tests whether the { at i begins a function's body, and returns the words of the function's head.
Translator::Body Translator::bodyAt(std::size_t brace) const {
    Body body;
    std::size_t i = endOfHead(brace);
    if (!is(i, ")")) return body;
    for (; i < tokens_.size(); i = before(i)) {
        if (isAnyOf(i, {";", "}", "{", "="})) break;
        body.forDevice |= is(i, "__device__") || is(i, "__global__");
        body.forHost |= is(i, "__host__");
        body.isKernel |= is(i, "__global__");
        body.isTemplate |= is(i, "template");
        if (is(i, ")")) i = openingOf(i);
    }
    return body;
}

void Translator::deviceBody(std::size_t brace) {
    const Body body = bodyAt(brace);
    if (!body.forDevice) return;
    const std::size_t close = before(skipBrackets(brace));
    if (!is(close, "}")) return;
    if (body.isKernel) tellBounds(brace);
    if (declaresArray(brace, close)) {
        // Only in this body: host code may have such arrays, which nvcc leaves to the host's
        // compiler.
        out_[brace] += " _Pragma(\"GCC diagnostic error \\\"-Wvla\\\"\")";
        out_[close].insert(0, "_Pragma(\"GCC diagnostic ignored \\\"-Wvla\\\"\") ");
    }
    // nvcc does not check device templates that nothing uses.
    if (body.forHost || (body.isTemplate && !body.isKernel)) return;
    refuseVariablesOfThreads(brace, close);
    refuseFunctionsOfHost(brace, close);
}

// Tells how many threads a block may have where the kernel's head has __launch_bounds__. Findings
// look for an expression by its column, so the body must begin on a line of its own.
void Translator::tellBounds(std::size_t brace) {
    if (textAt(brace + 1).substr(0, 1) != "\n" && textAt(brace + 1) != "\r") return;
    for (std::size_t i = before(brace); i < tokens_.size(); i = before(i)) {
        if (isAnyOf(i, {";", "}", "{"})) return;
        if (!is(i, "__launch_bounds__")) continue;
        const std::size_t first = after(after(i)), close = before(skipBrackets(after(i)));
        std::size_t end = first;
        while (end < close && !is(end, ",")) end = pass(end);
        out_[brace] += " ::cusim::boundThreads(" + textOf(first, end) + ");";
        return;
    }
}

// Tests for float row[k]; or int n, row[k]; and the like. A false alarm does no harm.
bool Translator::declaresArray(std::size_t open, std::size_t close) const {
    for (std::size_t i = open; i < close; i = after(i)) {
        if (is(i, "__shared__"))
            while (i < close && !is(i, ";")) i = after(i);
        const std::size_t previous = before(i);
        const bool declares = isName(previous) || is(previous, "*") || is(previous, ",");
        if (isWord(i) && is(after(i), "[") && declares) return true;
    }
    return false;
}

void Translator::refuseVariablesOfThreads(std::size_t open, std::size_t close) const {
    Scope scope(*this);
    for (std::size_t i = open; i < close; ++i) {
        scope.pass(i);
        if (scope.inCondition() || !(is(i, "thread_local") || is(i, "__thread"))) continue;
        const std::string word{textAt(i)};
        refuse(i, "a " + word + " variable belongs to a thread of the host",
               "without " + word + " each thread of the kernel has one");
    }
}

void Translator::refuseFunctionsOfHost(std::size_t open, std::size_t close) const {
    if (relaxedConstexpr) return;
    Scope scope(*this);
    for (std::size_t i = open; i < close; ++i) {
        scope.pass(i);
        if (scope.inCondition() || !is(i, "std") || !is(after(i), "::")) continue;
        const std::size_t name = after(after(i));
        const bool called = is(after(name), "(") || is(after(name), "<");
        const std::size_t previous = before(i);
        const std::size_t left = is(previous, "::") ? before(previous) : previous;
        if (!isWord(name) || !called || isUnevaluated(left) || !isForHost(textAt(name))) continue;
        const std::string function{textAt(name)};
        refuse(i, "std::" + function + " is a function for the host, and called on the device",
               function == "max" || function == "min"
                   ? "write " + function + "(a, b) without std::"
                   : "write the steps themselves, in the kernel");
    }
}

}  // namespace translate
