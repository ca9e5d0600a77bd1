// Turns kernel<<<grid, block, bytes, stream>>>(arguments) into a call.
#include <algorithm>
#include <cctype>

#include "simulator/translate/translator.h"
#include "text/joined.h"

namespace translate {
namespace {

// Joins lines, and leaves out the markers around what a macro of the system's has become, as NULL.
std::string withoutMarkers(const std::string& text) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        if (text[at] != '#') result += text.substr(at, end - at) + " ";
        at = end + 1;
    }
    const std::size_t first = result.find_first_not_of(" \t"),
                      last = result.find_last_not_of(" \t");
    return first == std::string::npos ? "" : result.substr(first, last + 1 - first);
}

bool isWordEnd(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

}  // namespace

// Makes one token of the signs of << <grid, block> > >(...), as some editors write them.
void Translator::joinBrackets() {
    const auto join = [&](std::size_t first, std::string_view sign, std::string_view all) {
        const std::size_t second = after(first), third = after(second);
        if (!is(first, sign) || !is(second, sign) || !is(third, sign)) return;
        // What a macro of the system's stands for is left out between two such blanks.
        for (std::size_t i = first; i < third; ++i)
            if (textAt(i).substr(0, 1) == "#") return;
        tokens_[first].text = all;
        for (const std::size_t i : {second, third})
            tokens_[i] = {Token::Blank, "", tokens_[i].line, tokens_[i].file};
    };
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
        if (is(i, "<") && !is(before(i), "operator")) join(i, "<", "<<<");
        if (!is(i, "<<<")) continue;
        for (std::size_t end = after(i); end < tokens_.size() && !is(end, ";"); end = pass(end)) {
            const bool last = is(end, ">") && is(after(after(after(end))), "(");
            if (last) join(end, ">", ">>>");
            if (is(end, ">>>")) break;
        }
    }
}

// Finds the kernels whose name alone does not fix their parameter types: templates, and names
// defined more than once.
void Translator::findDeducedKernels() {
    struct Signatures {
        std::set<std::string> declared, defined;
    };
    std::map<std::string, Signatures> kernels;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
        if (!is(i, "__global__")) continue;
        std::size_t open = i;
        while (open < tokens_.size() && !is(open, "(")) {
            open = after(open);
            // __launch_bounds__(...) has brackets of its own.
            if (is(open, "__launch_bounds__")) open = skipBrackets(after(open));
        }
        const std::string kernel{textAt(before(open))};
        std::string signature;
        const std::size_t end = skipBrackets(open);
        for (std::size_t j = open; j < end && j < tokens_.size(); j = after(j)) {
            // Parameter names may differ between declaration and definition.
            const std::size_t next = after(j);
            const bool lastOfParameter = is(next, ",") || is(next, ")");
            if (!(isWord(j) && lastOfParameter)) signature += textAt(j);
        }
        kernels_.insert(kernel);
        kernelNames_.insert(before(open));
        findDefaults(kernel, open);
        Signatures& all = kernels[kernel];
        (is(end, "{") ? all.defined : all.declared).insert(signature);
        if (const int parameters = templateParameters(i))
            templates_[kernel] = std::max(templates_[kernel], parameters);
    }
    // Use definitions if there are any, since a declaration may be written in other words.
    for (const auto& [kernel, all] : kernels)
        if ((all.defined.empty() ? all.declared : all.defined).size() > 1)
            overloaded_.insert(kernel);
}

// Notes the default arguments in the parameter list of a kernel's declaration, which opens here.
void Translator::findDefaults(const std::string& kernel, std::size_t open) {
    const std::size_t close = before(skipBrackets(open));
    std::vector<std::string> found;
    for (std::size_t i = after(open); i < close;) {
        std::size_t behind = tokens_.size();  // the =
        for (int angles = 0; i < close && (angles > 0 || !is(i, ",")); i = pass(i)) {
            if (behind == tokens_.size()) angles += anglesAt(i);
            if (is(i, "=")) behind = i + 1;
        }
        std::string value;
        for (; behind < i; ++behind) value += textAt(behind);
        found.push_back(withoutMarkers(value));
        i = after(i);
    }
    std::vector<std::string>& all = defaults_[kernel];
    all.resize(std::max(all.size(), found.size()));
    for (std::size_t i = 0; i < found.size(); ++i)
        if (!found[i].empty()) all[i] = found[i];
}

// Returns what the arguments of a launch, whose ( this is, leave to default ones.
std::string Translator::missingArguments(const std::string& kernel, std::size_t open) const {
    const auto found = defaults_.find(kernel);
    if (found == defaults_.end()) return "";
    const std::size_t close = before(skipBrackets(open));
    std::size_t given = after(open) == close ? 0 : 1;
    for (std::size_t i = after(open); i < close; i = pass(i)) given += is(i, ",");
    std::string text;
    for (std::size_t i = given; i < found->second.size(); ++i) {
        if (found->second[i].empty()) return "";
        text += (i == 0 ? "" : ", ") + found->second[i];
    }
    return text;
}

// Returns the number of template parameters of the kernel whose __global__ stands at i; 0 if it is
// no template.
int Translator::templateParameters(std::size_t global) const {
    std::size_t i = before(global);
    if (is(i, ")")) {
        i = before(openingOf(i));  // __launch_bounds__(...)
        if (is(i, "__launch_bounds__")) i = before(i);
    }
    while (is(i, "static") || is(i, "inline")) i = before(i);
    const std::size_t open = openingAngle(i);
    if (!is(before(open), "template")) return 0;
    return countArguments(open, i);
}

// Returns where the expression for the kernel begins, as in ns::kernel or kernel<arguments>.
std::size_t Translator::startOfKernel(std::size_t launch) const {
    std::size_t i = before(launch);
    const std::size_t angle = openingAngle(i);
    if (angle < tokens_.size()) i = before(angle);
    // A pointer in brackets, an element of a table of kernels, or a function's result.
    while (is(i, ")") || is(i, "]")) {
        const std::size_t open = openingOf(i), callee = before(open);
        const bool calls = isName(callee) || is(callee, ")") || is(callee, "]");
        if (!calls || isControl(callee)) return open;
        i = callee;
    }
    while (isAnyOf(before(i), {"::", ".", "->"})) {
        const std::size_t qualifier = before(before(i));
        if (!isName(qualifier)) return before(i);
        i = qualifier;
    }
    return i;
}

bool Translator::isName(std::size_t i) const {
    return isWord(i) && !isAnyOf(i, {"return", "else", "do"});
}

// Tests for the & of Type& or Type<...>&, in front of a name that is declared.
bool Translator::isReference(std::size_t i) const {
    return is(i, "&") && (isName(before(i)) || closesAngle(before(i)));
}

// Tests that what stands behind i is not evaluated: sizeof f(), sizeof(f()), decltype(f()).
bool Translator::isUnevaluated(std::size_t i) const {
    const std::size_t operation = is(i, "(") ? before(i) : i;
    return is(operation, "sizeof") || is(operation, "decltype");
}

// Tests for what stands in front of a declaration outside of functions.
bool Translator::startsDeclaration(std::size_t i) const {
    return i >= tokens_.size() || isAnyOf(i, {";", "}", "{"});
}

// Tests for the ) of if (...), for (...) or while (...), or for the word itself.
bool Translator::isControl(std::size_t i) const {
    if (is(i, ")")) i = before(openingOf(i));
    return isAnyOf(i, {"if", "for", "while", "switch"});
}

// Tests for a statement that is a call of atomicExch, where the file has none of its own.
bool Translator::isUnusedExchange(std::size_t name) const {
    if (!is(name, "atomicExch") || declaresExchange_ || !is(after(name), "(")) return false;
    const std::size_t previous = before(name);
    return is(skipBrackets(after(name)), ";") && (isAnyOf(previous, {";", "{", "}", "else"}) ||
                                                  (is(previous, ")") && isControl(previous)));
}

// Tests whether only the call itself tells which function the kernel is.
bool Translator::isDeduced(std::size_t start, std::size_t open) const {
    std::size_t last = before(open);
    int given = 0;
    const std::size_t angle = openingAngle(last);
    if (angle < tokens_.size() && angle > start) {
        given = countArguments(angle, last);
        last = before(angle);
    }
    const std::string kernel{textAt(last)};
    const auto found = templates_.find(kernel);
    return overloaded_.count(kernel) != 0 || (found != templates_.end() && given < found->second);
}

void Translator::launch(std::size_t open) {
    const std::size_t start = startOfKernel(open);
    if (start >= open || !(isName(start) || is(start, "(") || is(start, "::")))
        refuse(open, "a launch <<<...>>> without a kernel's name before it",
               "write kernel<<<grid, block>>>(arguments)");
    refusePlainFunction(open);
    std::size_t close = open;
    int depth = 0;
    for (;; close = after(close)) {
        if (close >= tokens_.size() || is(close, ";"))
            refuse(open, "the launch has no >>>", "write kernel<<<grid, block>>>(arguments)");
        depth += opens(close) - closes(close);
        if (depth == 0 && is(close, ">>>") && close != open) break;
    }
    if (!is(after(close), "("))
        refuse(close, "the launch has no arguments in parentheses",
               "write kernel<<<grid, block>>>(arguments)");

    std::string kernel;
    for (std::size_t i = start; i < open; i = after(i)) {
        if (isWord(i) && !kernel.empty() && isWordEnd(kernel.back())) kernel += ' ';
        kernel += textAt(i);
    }
    const std::size_t angle = openingAngle(before(open));
    const std::string name{textAt(before(angle < open ? angle : open))};
    const std::string missing = missingArguments(name, after(close));
    // A default argument may name a parameter of the template.
    const bool deduced =
        isDeduced(start, open) || (!missing.empty() && templates_.count(name) != 0);
    out_[start] =
        words::joined("::cusim::prepare", deduced ? "Deduced" : "", "(\"", escaped(kernel),
                      "\", ::cusim::Where{\"", fileOf(start), "\", ", tokens_[start].line, "}, ",
                      deduced ? "[](auto... cusimArguments) { " : "", out_[start]);
    if (deduced) out_[before(open)] += "(cusimArguments...); }";
    if (!deduced) out_[before(skipBrackets(after(close)))].insert(0, missing);
    out_[open] = ", ";
    out_[close] = ")";
}

// Returns where the kernel's name stands behind (void*) or (const void*) at `open`, else `open`.
// The runtime's functions that take a kernel's address need its type here; the program's own need
// the cast.
std::size_t Translator::endOfKernelCast(std::size_t open) const {
    if (!is(open, "(")) return open;
    std::size_t i = after(open);
    if (is(i, "const")) i = after(i);
    if (!is(i, "void") || !is(after(i), "*") || !is(after(after(i)), ")")) return open;
    i = after(after(after(i)));
    const std::size_t kernel = is(i, "&") ? after(i) : i;
    if (!isWord(kernel) || kernels_.count(std::string(textAt(kernel))) == 0) return open;
    std::size_t callee = before(open);
    for (int depth = 0; callee < tokens_.size() && !isAnyOf(callee, {";", "{", "}"});
         callee = before(callee)) {
        if (depth == 0 && is(callee, "(")) break;
        depth += is(callee, ")") - is(callee, "(");
    }
    const std::size_t name = before(callee);
    return is(callee, "(") && isWord(name) && textAt(name).substr(0, 4) == "cuda" ? i : open;
}

}  // namespace translate
