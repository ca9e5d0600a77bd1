#include "simulator/explain/index_values.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string>

namespace cusim {
namespace {

constexpr int kDeepest = 8;

std::optional<long long> number(std::string_view text) {
    const std::string digits(text);
    char* end = nullptr;
    const long long value = std::strtoll(digits.c_str(), &end, 10);
    const bool plain = !digits.empty() && (digits == "0" || digits[0] != '0') && *end == '\0';
    return plain ? std::optional(value) : std::nullopt;
}

}  // namespace

std::optional<IndexValue> IndexValues::variable(std::string_view name, int depth) const {
    std::optional<IndexValue> found;
    if (depth > kDeepest) return found;
    for (std::size_t i = first_; i < end_; ++i) {
        if (tokens_[i].text != name || isAnyOf(i - 1, {".", "->"})) continue;
        if (isChanged(i) && !(at_.inFirstRound && found && found->line == tokens_[i].line))
            return std::nullopt;
        if (!is(i + 1, "=") || is(i + 2, "=")) continue;
        std::size_t at = i + 2;
        const Number value = sum(at, depth + 1);
        const bool again = found && !(at_.inFirstRound && value == found->value);
        if (again || !value || !isAnyOf(at, {",", ";"}) || !isWide(i, *value)) return std::nullopt;
        found = {*value, tokens_[i].line};
    }
    return found;
}

// Tests whether the declaration of this name has a type that holds this value.
bool IndexValues::isWide(std::size_t name, long long value) const {
    std::size_t begin = name;
    while (begin > first_ && !isAnyOf(begin - 1, {";", "{", "}", "("})) --begin;
    bool wide = false;
    for (; begin < name && !is(begin, "="); ++begin) {
        if (isAnyOf(begin, {"char", "short", "bool", "float", "double", "*", "&"})) return false;
        if (value < 0 && isAnyOf(begin, {"unsigned", "size_t", "auto", "long"})) return false;
        wide |= isAnyOf(begin, {"int", "unsigned", "size_t", "auto", "long"});
    }
    return wide;
}

// Tests whether the variable at i is changed there, or passed by its address.
bool IndexValues::isChanged(std::size_t i) const {
    const bool counts = (is(i + 1, "+") && is(i + 2, "+")) || (is(i + 1, "-") && is(i + 2, "-")) ||
                        (is(i - 1, "+") && is(i - 2, "+")) || (is(i - 1, "-") && is(i - 2, "-"));
    const bool assigns = isAnyOf(i + 1, {"+", "-", "*", "/", "%", "&", "|", "^"}) && is(i + 2, "=");
    const bool shared = is(i - 1, "&") && !is(i - 2, "&");
    return counts || assigns || shared;
}

IndexValues::Number IndexValues::sum(std::size_t& i, int depth) const {
    Number all = product(i, depth);
    while (all && isAnyOf(i, {"+", "-"})) {
        const bool plus = is(i, "+");
        const Number next = product(++i, depth);
        if (!next) return std::nullopt;
        all = plus ? *all + *next : *all - *next;
    }
    return all;
}

IndexValues::Number IndexValues::product(std::size_t& i, int depth) const {
    Number all = factor(i, depth);
    while (all && isAnyOf(i, {"*", "/", "%"})) {
        const std::string_view by = tokens_[i].text;
        const Number next = factor(++i, depth);
        // For a number below 0 the types would decide.
        if (!next || (by != "*" && (*next <= 0 || *all < 0))) return std::nullopt;
        all = by == "*" ? *all * *next : by == "/" ? *all / *next : *all % *next;
    }
    return all;
}

IndexValues::Number IndexValues::factor(std::size_t& i, int depth) const {
    if (is(i, "(")) {
        const Number inner = sum(++i, depth);
        return inner && is(i, ")") ? (++i, inner) : std::nullopt;
    }
    if (i >= end_) return std::nullopt;
    const std::string_view text = tokens_[i].text;
    if (tokens_[i].kind == translate::Token::Number) return ++i, number(text);
    if (!isWord(i)) return std::nullopt;
    if (isAnyOf(i, {"min", "max"}) && is(i + 1, "(")) {
        const Number one = sum(i += 2, depth);
        const Number other = one && is(i, ",") ? sum(++i, depth) : std::nullopt;
        if (!other || !is(i, ")")) return std::nullopt;
        return ++i, text == "min" ? std::min(*one, *other) : std::max(*one, *other);
    }
    if (is(i + 1, ".")) {
        const Number value = builtin(i);
        i += 3;
        return value;
    }
    ++i;
    if (const auto known = variable(text, depth)) return known->value;
    const Number passed = parameter(text);
    return passed ? passed : macro(text);
}

// A parameter that the kernel changes is not known, nor one that a variable hides.
IndexValues::Number IndexValues::parameter(std::string_view name) const {
    for (std::size_t i = first_; i < end_; ++i)
        if (tokens_[i].text == name && !isAnyOf(i - 1, {".", "->"}) &&
            (isChanged(i) || (is(i + 1, "=") && !is(i + 2, "=")) || isWord(i - 1)))
            return std::nullopt;
    for (const NumberParameter& one : parameters_)
        if (one.name == name) return one.value;
    return std::nullopt;
}

int IndexValues::changedAt(std::string_view name) const {
    int declared = 0;
    for (std::size_t i = first_; i < end_; ++i) {
        if (tokens_[i].text != name || isAnyOf(i - 1, {".", "->"})) continue;
        if (isWord(i - 1) || is(i - 1, ",")) declared = tokens_[i].line;
        if (isChanged(i) && tokens_[i].line != declared) return tokens_[i].line;
    }
    return 0;
}

IndexValues::Number IndexValues::builtin(std::size_t i) const {
    const auto in = [&](const auto& of) -> Number {
        if (is(i + 2, "x")) return of.x;
        return is(i + 2, "y") ? Number(of.y) : std::nullopt;
    };
    if (is(i, "threadIdx")) return in(at_.thread);
    if (is(i, "blockIdx")) return in(at_.block);
    if (is(i, "blockDim")) return in(at_.ofBlock);
    return is(i, "gridDim") ? in(at_.ofGrid) : std::nullopt;
}

// A macro under #ifndef may have another value from the compiler's options. It counts if it is a
// width of the launched block.
IndexValues::Number IndexValues::macro(std::string_view name) const {
    Number found;
    for (const std::string_view directive : directives_) {
        std::istringstream words{std::string(directive)};
        std::string define, word, value;
        words >> define >> word >> value;
        if (define != "#define" || word != name) continue;
        if (found) return std::nullopt;
        found = number(value);
        if (!found || (*found != at_.ofBlock.x && *found != at_.ofBlock.y)) return std::nullopt;
    }
    return found;
}

}  // namespace cusim
