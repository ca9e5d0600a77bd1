// Tells the runtime as what a program takes memory that casts give another type: bytes in a kernel,
// and what the host allocates through a void**. Keeps the type of a kernel that is cast to void*.
#include "simulator/translate/translator.h"

namespace translate {

// Returns what comes after the (Pair*) that opens here, or `open` if another bracket does.
std::size_t Translator::pastPointerType(std::size_t open) const {
    if (!is(open, "(") || !isWord(after(open))) return open;
    const std::size_t end = skipBrackets(open);
    return is(before(before(end)), "*") ? end : open;
}

// Returns what comes after &name[4].member or (char*)(name + 4)[0].
std::size_t Translator::endOfOperand(std::size_t i) const {
    while (is(i, "&") || pastPointerType(i) > i) i = is(i, "&") ? after(i) : pastPointerType(i);
    i = pass(i);
    for (;;) {
        if (is(i, "[") || is(i, "("))
            i = skipBrackets(i);
        else if (isAnyOf(i, {".", "->", "::"}))
            i = after(after(i));
        else
            return i;
    }
}

// Returns what comes after (Pair*)name, or `open` if no such cast begins here, or one whose end
// only a compiler knows.
std::size_t Translator::endOfCast(std::size_t open) const {
    const std::size_t operand = pastPointerType(open), previous = before(open);
    // Else the parameters of a function, or sizeof(Pair*).
    if (operand == open || isName(previous) || closesAngle(previous) || closes(previous))
        return open;
    if (!isWord(operand) && !is(operand, "(") && !is(operand, "&")) return open;
    const std::size_t end = endOfOperand(operand);
    const bool isStep = isAnyOf(end, {"+", "-"}) && textAt(end + 1) == textAt(end);
    return isStep || isWord(end) || isAnyOf(end, {"<", "<<<", "{"}) ? open : end;
}

// Does the same with reinterpret_cast<Pair*>(name).
std::size_t Translator::endOfNamedCast(std::size_t word) const {
    if (!is(word, "reinterpret_cast") && !is(word, "static_cast")) return word;
    const std::size_t close = closingAngle(after(word));
    return is(close, ">") && is(before(close), "*") ? skipBrackets(after(close)) : word;
}

// Finds the names of types that the file declares, and of its templates' parameters; and whether it
// declares an atomicExch.
void Translator::findNames() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
        declaresExchange_ |= is(i, "atomicExch") && isName(before(i));
        std::size_t name = after(i);
        if (is(i, "typedef"))
            while (name < tokens_.size() && !is(pass(name), ";")) name = pass(name);
        else if (!isTypeKey(i) && !is(i, "typename") && !is(i, "using"))
            continue;
        while (isAlignment(name)) name = skipBrackets(after(name));
        types_.insert(textAt(name));
    }
}

// Passes a cast in device code, to a pointer to such a type, through a function that notes padding.
// Others stay as they are, since findings look for an expression by its column (see
// explain/named_array.cpp).
void Translator::tellCast(std::size_t first, std::size_t body) {
    const std::size_t end = is(first, "(") ? endOfCast(first) : endOfNamedCast(first);
    if (end == first) return;
    std::size_t word = is(first, "(") ? after(first) : after(after(first));
    while (!is(word, "*") && types_.count(textAt(word)) == 0) word = after(word);
    if (is(word, "*") || !isDeviceCode(first, body)) return;
    out_[first].insert(0, "::cusim::takenAs(");
    out_[before(end)] += ")";
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

// Keeps a kernel's type where the kernel is cast to void*: in a call of the runtime's the cast
// goes, and elsewhere a function gives the address and notes with what types to launch it. Returns
// whether such a cast begins here.
bool Translator::castOfKernel(std::size_t first) {
    const bool isNamed = is(first, "reinterpret_cast");
    if (!isNamed && !is(first, "(")) return false;
    std::size_t i = isNamed ? after(after(first)) : after(first);
    if (is(i, "const")) i = after(i);
    if (!is(i, "void")) return false;
    i = after(i);
    if (is(i, "const")) i = after(i);
    if (!is(i, "*") || !is(after(i), isNamed ? ">" : ")")) return false;
    i = after(after(i));
    std::size_t name = isNamed ? after(i) : i;
    if (is(name, "&")) name = after(name);
    while (is(after(name), "::") || is(name, "::")) name = after(name);
    const bool isKernel = kernels_.count(std::string(textAt(name))) > 0;
    std::size_t end = after(name);
    if (isKernel && is(end, "<")) end = after(closingAngle(end));
    if (!isWord(name) || (isNamed ? !is(end, ")") : !isAnyOf(end, {",", ")", ";", "}"})))
        return false;
    const std::size_t open = openingAround(first);
    const std::string_view function = is(open, "(") ? textAt(before(open)) : "";
    const bool takesKernel = function.substr(0, 10) == "cudaLaunch" ||
                             function.substr(0, 8) == "cudaFunc" ||
                             function.substr(0, 13) == "cudaOccupancy";
    if (!isKernel && !takesKernel) return false;
    for (std::size_t j = first; j < i; ++j)
        if (!blank(j)) out_[j].clear();
    if (takesKernel) return true;
    out_[first] = isNamed ? "::cusim::known" : "::cusim::known(";
    if (!isNamed) out_[before(end)] += ")";
    return true;
}

}  // namespace translate
