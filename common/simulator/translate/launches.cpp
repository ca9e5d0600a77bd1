// Turns kernel<<<grid, block, bytes, stream>>>(arguments) into a call.
#include <algorithm>
#include <cctype>

#include "simulator/translate/translate.h"
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

// Begins the name of what tellParameters() declares for a kernel.
constexpr std::string_view kSignature = "cusimSignature_";

bool isWordEnd(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

}  // namespace

// Returns the text from one token up to another, in one line and without comments.
std::string Translator::textOf(std::size_t first, std::size_t end) const {
    std::string text;
    for (; first < end; ++first) {
        const bool isComment = blank(first) && textAt(first).substr(0, 1) == "/";
        text += isComment ? " " : textAt(first);
    }
    return withoutMarkers(text);
}

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

// Returns the same without blanks, as reports name a kernel.
std::string Translator::shortText(std::size_t first, std::size_t end) const {
    std::string text;
    for (std::size_t i = first; i < end; i = after(i)) {
        if (isWord(i) && !text.empty() && isWordEnd(text.back())) text += ' ';
        text += textAt(i);
    }
    return text;
}

// Returns the words of a parameter list without the parameters' names, which may differ between
// declaration and definition.
std::string Translator::parameterTypes(std::size_t open) const {
    std::string types;
    const std::size_t end = skipBrackets(open);
    for (std::size_t j = open; j < end && j < tokens_.size(); j = after(j)) {
        const std::size_t next = after(j);
        const bool isLast = is(next, ",") || is(next, ")");
        const bool isFirst = is(before(j), ",") || before(j) == open;
        if (!isWord(j) || !isLast || isFirst) types += textAt(j);
    }
    return types;
}

// Finds the kernels whose name alone does not fix their parameter types: templates, and names
// declared more than once with other words, which may be other types.
void Translator::findDeducedKernels() {
    std::map<std::string, std::set<std::string>> signatures;
    std::map<std::size_t, std::size_t> declared;  // by its __global__, the ( of each kernel
    Scope scope(*this);
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
        scope.pass(i);
        if (is(i, "using")) {
            std::size_t end = i;
            while (end < tokens_.size() && !is(end, ";")) end = after(end);
            fromElsewhere_.insert(textAt(before(end)));
        }
        if (!is(i, "__global__")) continue;
        std::size_t open = i;
        while (open < tokens_.size() && !is(open, "(")) {
            open = after(open);
            // __launch_bounds__(...) has brackets of its own.
            if (is(open, "__launch_bounds__")) open = skipBrackets(after(open));
        }
        const std::string kernel{textAt(before(open))};
        if (!scope.inCondition()) refuseResult(i, before(open));
        kernels_.insert(kernel);
        kernelNames_.insert(before(open));
        signatures[kernel].insert(parameterTypes(open));
        declared[i] = open;
        if (const int parameters = templateParameters(i))
            templates_[kernel] = std::max(templates_[kernel], parameters);
    }
    for (const auto& [kernel, all] : signatures)
        if (all.size() > 1) overloaded_.insert(kernel);
    for (const auto& [global, open] : declared) tellParameters(global, open);
}

// Declares, after such a kernel, a function with its parameters whose result is their types: a
// launch's arguments then choose and deduce among these functions what they would among kernels.
void Translator::tellParameters(std::size_t global, std::size_t open) {
    const std::size_t name = before(open);
    const std::string kernel{textAt(name)};
    const std::string parameters = readParameters(kernel, open);
    if (!isWord(name) || overloaded_.count(kernel) + templates_.count(kernel) == 0) return;
    std::size_t last = skipBrackets(open);
    if (is(last, "{")) last = before(skipBrackets(last));
    if (!is(last, ";") && !is(last, "}")) return;
    const std::size_t angle = angleOfTemplate(global);
    if (angle < tokens_.size())
        out_[last] += "template" + textOf(angle, after(closingAngle(angle)));
    out_[last] += words::joined(" ::cusim::Signature<void(", parameters, ")> ", kSignature, kernel,
                                "(", parameters, ");");
}

// Notes the default arguments in the parameter list of a kernel's declaration, which opens here;
// returns the list without them.
std::string Translator::readParameters(const std::string& kernel, std::size_t open) {
    const std::size_t close = before(skipBrackets(open));
    std::vector<std::string> found;
    std::string parameters;
    for (std::size_t i = after(open); i < close;) {
        const std::size_t first = i;
        std::size_t equals = close;
        for (int angles = 0; i < close && (angles > 0 || !is(i, ",")); i = pass(i)) {
            if (equals == close) angles += anglesAt(i);
            if (is(i, "=")) equals = i;
        }
        parameters += (found.empty() ? "" : ", ") + textOf(first, std::min(equals, i));
        found.push_back(equals < i ? textOf(equals + 1, i) : "");
        i = after(i);
    }
    std::vector<std::string>& all = defaults_[kernel];
    all.resize(std::max(all.size(), found.size()));
    for (std::size_t i = 0; i < found.size(); ++i)
        if (!found[i].empty()) all[i] = found[i];
    return parameters;
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

// Returns the < of template <...> in front of the kernel whose __global__ this is; the end if it is
// no template.
std::size_t Translator::angleOfTemplate(std::size_t global) const {
    std::size_t i = before(global);
    for (;; i = before(i)) {
        const std::size_t open = is(i, ")") ? openingOf(i) : i;  // __launch_bounds__(...)
        if (open < i) i = before(open);
        if (open == i && !isAnyOf(i, {"static", "inline", "extern"})) break;
    }
    const std::size_t angle = openingAngle(i);
    return is(before(angle), "template") ? angle : tokens_.size();
}

// Returns the number of its template parameters; 0 if it is no template.
int Translator::templateParameters(std::size_t global) const {
    const std::size_t angle = angleOfTemplate(global);
    return angle < tokens_.size() ? countArguments(angle, closingAngle(angle)) : 0;
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

// Tests that what stands after i is not evaluated: sizeof f(), sizeof(f()), decltype(f()).
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

// Tests whether the arguments of a launch, whose ( this is, may stand in the text twice: a lambda
// would be of another type each time.
bool Translator::mayRepeat(std::size_t open) const {
    const std::size_t end = skipBrackets(open);
    for (std::size_t i = open; i < end; ++i) {
        const bool isLambda = is(i, "[") && !isName(before(i)) && !closes(before(i));
        if (isLambda || tokens_[i].kind == Token::Directive) return false;
    }
    return true;
}

void Translator::launch(std::size_t open) {
    if (textAt(open + 1) == "<<<")
        refuse(open, "a mark of a merge conflict",
               "keep one version; remove the lines <<<<<<<, ======= and >>>>>>>");
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

    const std::size_t angle = openingAngle(before(open)), arguments = after(close);
    const std::size_t name = before(angle < open ? angle : open);
    const std::size_t last = before(skipBrackets(arguments));
    const std::string missing = missingArguments(std::string(textAt(name)), arguments);
    // A default argument may name a parameter of the template.
    const bool ofTemplate = !missing.empty() && templates_.count(std::string(textAt(name))) != 0;
    const bool deduced = ofTemplate || isDeduced(start, open);
    const std::string kernel = shortText(start, open);
    const bool inMacro = !macroWords_.empty(), isParameter = macroWords_.count(kernel) > 0;
    const bool byCall = (deduced && (ofTemplate || !mayRepeat(arguments) ||
                                     fromElsewhere_.count(textAt(name)) != 0)) ||
                        (isParameter && !(templates_.empty() && overloaded_.empty()));
    std::string front, back;
    if (byCall) {
        front = "[](auto... cusimArguments) { ";
        back = "(cusimArguments...); }";
    } else if (deduced) {
        front = words::joined("decltype(", textOf(start, name), kSignature, textOf(name, open),
                              textOf(arguments, last), missing, "))::of(");
        back = ")";
    }
    out_[start] = words::joined("::cusim::prepare", byCall ? "Deduced" : "", "(",
                                isParameter ? "#" + kernel : "\"" + escaped(kernel) + "\"",
                                ", ::cusim::Where{\"", fileOf(start), "\", ",
                                inMacro ? "__LINE__" : std::to_string(tokens_[start].line), "}, ",
                                front, out_[start]);
    out_[before(open)] += back;
    if (!byCall) out_[last].insert(0, missing);
    out_[open] = ", ";
    out_[close] = ")";
}

// Turns the launches of a macro's text into calls, at the line where the macro is used.
void Translator::launchInMacro(std::size_t directive, int line) {
    std::vector<Token> tokens = tokenize(textAt(directive).substr(1));
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i)
        if (tokens[i].text == "\\") tokens[i].kind = Token::Blank;
    Translator inside(std::move(tokens), name_);
    inside.kernels_ = kernels_;
    inside.overloaded_ = overloaded_;
    inside.templates_ = templates_;
    inside.defaults_ = defaults_;
    const std::size_t name = inside.after(inside.is(0, "define") ? 0 : inside.after(0));
    std::size_t i = name;
    inside.macroWords_.insert(inside.textAt(name));
    // A ( right after the name opens its parameters.
    if (inside.is(name + 1, "("))
        for (const std::size_t end = inside.skipBrackets(name + 1); i < end; i = inside.after(i))
            inside.macroWords_.insert(inside.textAt(i));
    try {
        for (; i < inside.tokens_.size(); i = inside.after(i))
            if (inside.is(i, "<<<")) inside.launch(i);
    } catch (const TranslationError&) {
        refuseLine(line, "half a launch inside a macro is not supported on the simulated device",
                   "write all of kernel<<<grid, block>>>(arguments) in the macro, or none of it");
    }
    out_[directive] = "#";
    for (const std::string& piece : inside.out_) out_[directive] += piece;
}

}  // namespace translate
