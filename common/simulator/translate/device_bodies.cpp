// What nvcc refuses in the functions of the device alone, and a C++ compiler takes: functions of
// the standard library that are for the host, and arrays whose size is not constant.
#include <array>

#include "simulator/translate/translator.h"

namespace translate {

namespace {

// Of <algorithm>, <numeric> and <utility>. What <cmath> has is for both sides, as are std::move and
// std::forward.
bool isForHost(std::string_view function) {
    constexpr std::array<std::string_view, 25> kNames = {
        "max",           "min",    "max_element", "min_element", "minmax", "clamp", "swap",
        "exchange",      "fill",   "fill_n",      "copy",        "copy_n", "sort",  "stable_sort",
        "accumulate",    "reduce", "iota",        "reverse",     "count",  "find",  "transform",
        "inner_product", "gcd",    "lcm",         "for_each"};
    for (const std::string_view name : kNames)
        if (function == name) return true;
    return false;
}

}  // namespace

// Whether the { at i begins the body of a function, and which words its head has.
Translator::Body Translator::bodyAt(std::size_t brace) const {
    Body body;
    std::size_t i = before(brace);
    if (!is(i, ")")) return body;
    for (; i < tokens_.size(); i = before(i)) {
        if (is(i, ";") || is(i, "}") || is(i, "{") || is(i, "=")) break;
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
    if (declaresArray(brace, close)) {
        // Host code may have such arrays, which nvcc leaves to the host's compiler.
        out_[brace] += " _Pragma(\"GCC diagnostic error \\\"-Wvla\\\"\")";
        out_[close].insert(0, "_Pragma(\"GCC diagnostic ignored \\\"-Wvla\\\"\") ");
    }
    // What no one uses of a template, nvcc does not look at.
    if (!body.forHost && (body.isKernel || !body.isTemplate)) refuseFunctionsOfHost(brace, close);
}

// float row[k];   int n, row[k];   What only looks so does no harm.
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

void Translator::refuseFunctionsOfHost(std::size_t open, std::size_t close) const {
    int conditions = 0;
    for (std::size_t i = open; i < close; ++i) {
        if (tokens_[i].kind == Token::Directive) conditions += opensCondition(i);
        if (conditions != 0 || !is(i, "std") || !is(after(i), "::")) continue;
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
