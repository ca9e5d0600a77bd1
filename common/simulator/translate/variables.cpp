// Rewrites __shared__, __device__, __constant__ and __managed__ variables.
#include "simulator/translate/translator.h"
#include "text/joined.h"

namespace translate {

// Finds the end of a declaration, and the first brackets after its name.
Translator::Declared Translator::declaredFrom(std::size_t shared) const {
    Declared found{shared, shared, false, std::nullopt};
    std::size_t& end = found.end;
    while (end < tokens_.size() && !is(end, ";")) {
        const bool body = is(end, "{") && opensType(end);
        if (is(end, "=") || (is(end, "{") && !body))
            refuse(end, "a __shared__ variable cannot have an initial value",
                   "assign it in the kernel, by one thread, before a __syncthreads()");
        if (is(end, "[") && !found.brackets) found.brackets = end;
        const std::size_t next = skipBrackets(end);
        const bool skipped = body || ((is(end, "[") || is(end, "(")) && bracketsMatch(end, next));
        end = skipped ? next : after(end);
    }
    found.isExtern = is(after(shared), "extern");
    for (std::size_t i = before(shared); i < tokens_.size(); i = before(i)) {
        i = startOfAlignment(i);
        if (!isAlignment(i) && !isAnyOf(i, {"extern", "__device__", "volatile", "static"})) break;
        found.isExtern |= is(i, "extern");
        found.first = i;
    }
    std::size_t outer = found.first;  // of double extern __shared__, or extern double __shared__
    for (std::size_t i = before(found.first); isWord(i); i = before(i)) {
        found.isExtern |= is(i, "extern");
        outer = i;
    }
    if (found.isExtern) found.first = outer;
    return found;
}

void Translator::sharedDeclaration(std::size_t shared, bool outside) {
    const Declared found = declaredFrom(shared);
    if (!found.isExtern) {
        fitMacro(found.first, found.end);
        if (!outside && found.end < tokens_.size()) tellShapes(shared, found.end);
        return;
    }
    if (!found.brackets || !is(after(*found.brackets), "]"))
        refuse(shared, "extern __shared__ takes an array without a size",
               "write extern __shared__ float name[]; and pass its bytes at the launch");
    dynamicArray(shared, found, outside);
}

// Clears the tokens of the type before the name; returns the type.
std::string Translator::takeType(std::size_t first, std::size_t nameAt) {
    std::string type;
    for (std::size_t i = first; i < nameAt; i = after(i)) {
        if (isAlignment(i)) {
            const std::size_t next = skipBrackets(after(i));
            for (std::size_t j = i; j < next; ++j)
                if (!blank(j)) out_[j].clear();
            i = before(next);
            continue;
        }
        if (!isAnyOf(i, {"extern", "__shared__", "__device__", "static"}))
            type += words::joined(textAt(i), " ");
        out_[i].clear();
    }
    return type;
}

// Turns extern __shared__ T name[]; into a pointer to the block's dynamic shared memory.
void Translator::dynamicArray(std::size_t shared, const Declared& found, bool outside) {
    const std::size_t brackets = *found.brackets, nameAt = before(brackets);
    const std::string type = takeType(found.first, nameAt), name{textAt(nameAt)};
    std::string inner;  // of extern __shared__ T name[][16]
    for (std::size_t i = after(after(brackets)); i < found.end; i = after(i)) {
        if (inner.empty() && !is(i, "["))
            refuse(i, "one declaration of several extern __shared__ arrays",
                   "declare one; all of them would start at the same address");
        inner += textAt(i);
        out_[i].clear();
    }
    out_[brackets].clear();
    out_[after(brackets)].clear();
    const std::string other = outside ? "" : sameStartAs(shared, name, type);
    const std::string start =
        (other.empty() ? "" : "(::cusim::beginsTogether(\"" + name + "\", \"" + other + "\"), ") +
        "::cusim::dynamicShared<decltype(*" + name + ")>(\"" + name + "\")" +
        (other.empty() ? "" : ")");
    // Outside of functions a pointer would be that of one host thread, so declare the array itself,
    // under the simulator's name for it.
    if (outside)
        out_[nameAt] = words::joined("extern __thread ", type, name, "[]", inner,
                                     " __asm__(\"cusimDynamicShared\")");
    else if (inner.empty())
        out_[nameAt] = words::joined(type, "*", name, " = (", type, "*)", start);
    else
        out_[nameAt] =
            words::joined(type, "(*", name, ")", inner, " = (", type, "(*)", inner, ")", start);
}

// Returns the name of an extern __shared__ array of the same type that is declared before in one of
// the braces around this one; else nothing. With other types, both may mean the same memory.
std::string Translator::sameStartAs(std::size_t shared, const std::string& name,
                                    const std::string& type) const {
    for (std::size_t i = before(shared); i < tokens_.size() && !is(i, "__global__");
         i = before(i)) {
        if (is(i, "}")) i = openingOf(i);
        if (!is(i, "__shared__") || !(is(before(i), "extern") || is(after(i), "extern"))) continue;
        std::string words;
        std::size_t open = i;
        for (; open < shared && !is(open, "["); open = after(open))
            if (!isAnyOf(open, {"__shared__", "extern"}) && !is(after(open), "["))
                words += words::joined(textAt(open), " ");
        const std::string first{textAt(before(open))};
        if (words == type && first != name) return first;
    }
    return "";
}

// Moves alignas in front and drops `static`: the macro of __shared__ says `static` itself, and g++
// accepts an alignas in front of it only.
void Translator::fitMacro(std::size_t first, std::size_t end) {
    std::string alignment;
    for (std::size_t i = first; i < end;) {
        if (is(i, "static")) out_[i].clear();
        std::size_t next = pass(i);
        if (is(i, "alignas") && !isTypeKey(before(i)) && i != first) {
            next = skipBrackets(next);
            for (std::size_t j = i; j < next; ++j) {
                if (blank(j)) continue;
                alignment += textAt(j);
                out_[j].clear();
            }
        }
        i = next;
    }
    out_[first].insert(0, alignment);
}

// Reports the shapes in float Mds[16][16], Nds[16][16]; so that findings name elements by the
// declaration's indices, and the type of Pair pair; which may have padding.
void Translator::tellShapes(std::size_t shared, std::size_t end) {
    bool plain = false;
    int angles = 0;
    for (std::size_t i = after(shared); i < end; i = opens(i) ? skipBrackets(i) : after(i)) {
        angles += anglesAt(i);
        if (!isWord(i) || angles > 0) continue;
        plain |=
            isAnyOf(i, {"bool", "char", "short", "int", "long", "unsigned", "float", "double"});
        const bool alone = after(i) == end || is(after(i), ",");
        if (is(after(i), "["))
            out_[end] += " ::cusim::noteSharedArray(" + std::string(textAt(i)) + ");";
        else if (alone && !plain && !isAnyOf(before(i), {"*", "&"}))
            out_[end] += " ::cusim::noteSharedVariable(" + std::string(textAt(i)) + ");";
    }
}

// Tests for the { of struct {   union Name {   struct alignas(8) Name {
bool Translator::opensType(std::size_t brace) const {
    std::size_t i = before(brace);
    if (isWord(i) && !isTypeKey(i)) i = before(i);
    while (startOfAlignment(i) != i) i = before(startOfAlignment(i));
    return isTypeKey(i);
}

bool Translator::isTypeKey(std::size_t i) const { return isAnyOf(i, {"struct", "union", "class"}); }

// Returns the word in front of the brackets that end at i if these state an alignment, else i.
std::size_t Translator::startOfAlignment(std::size_t i) const {
    const std::size_t word = is(i, ")") ? before(openingOf(i)) : i;
    return isAlignment(word) ? word : i;
}

bool Translator::isAlignment(std::size_t i) const {
    return isAnyOf(i, {"__align__", "alignas", "__attribute__"});
}

// Tests for the 5 or -5 of int n(-5);
bool Translator::startsWithNumber(std::size_t i) const {
    if (is(i, "-")) i = after(i);
    return i < tokens_.size() && tokens_[i].kind == Token::Number;
}

// Returns the last token of float (*f)(float) or (*rows)[4], whose ( is at open, and says its name;
// the number of tokens for a function that returns such a pointer.
std::size_t Translator::endOfPointer(std::size_t open, std::size_t& name) const {
    const std::size_t close = before(skipBrackets(open));
    std::size_t i = after(open);
    for (; i < close && !is(i, "[") && !is(i, "("); i = after(i))
        if (isWord(i)) name = i;
    if (is(i, "(")) return tokens_.size();
    return is(after(close), "(") ? before(skipBrackets(after(close))) : close;
}

// Returns the last token of what a declaration has beside its type and names: an alignment,
// extents, a value; i for other tokens.
std::size_t Translator::endOfSkipped(std::size_t i, int angles) const {
    if (isAlignment(i) || is(i, "decltype")) return before(skipBrackets(after(i)));
    if (is(i, "(") && startsWithNumber(after(i))) return before(skipBrackets(i));
    if (angles > 0) return i;
    if (is(i, "[") || is(i, "{")) return before(skipBrackets(i));
    if (!is(i, "=")) return i;
    while (i < tokens_.size() && !is(i, ",") && !is(i, ";")) i = pass(i);
    return before(i);
}

// Registers the variables of __device__ float table[16] = {...}, other;
void Translator::variable(std::size_t qualifier, bool certain) {
    const std::size_t previous = before(qualifier);
    // Skip the second qualifier of a declaration, as in __device__ __constant__.
    if (isAnyOf(previous, {"extern", "__device__", "__constant__", "__managed__", "__host__",
                           "__forceinline__"}))
        return;
    const char* kind = "DeviceVariable";
    std::vector<std::size_t> names;
    std::size_t name = tokens_.size(), i = qualifier;
    int angles = 0;
    for (;; i = after(i)) {
        if (i >= tokens_.size()) return;
        if (is(i, "__constant__")) kind = "ConstantVariable";
        if (is(i, "__managed__")) kind = "ManagedVariable";
        angles += anglesAt(i);
        if (angles == 0 && is(i, "(") && is(after(i), "*")) {
            i = endOfPointer(i, name);
            continue;
        }
        if (const std::size_t end = endOfSkipped(i, angles); end != i) {
            i = end;
            continue;
        }
        // A parameter list makes it a function; an extern variable is registered where it is
        // defined.
        if (isAnyOf(i, {"(", "operator", "extern", "__shared__"})) return;
        if (angles > 0) continue;
        if (is(i, ",") || is(i, ";")) {
            if (name < tokens_.size()) names.push_back(name);
            name = tokens_.size();
            if (is(i, ";")) break;
        } else if (isWord(i)) {
            name = i;
        }
    }
    const std::size_t angle = openingAngle(previous);
    if (is(before(angle), "template"))
        registerTemplates(names, i, kind, after(angle) == previous);
    else
        registerVariables(names, i, kind, certain);
}

// Variables made of a template are looked for by its name when the program begins; those of a
// specialization have that name, too.
void Translator::registerTemplates(const std::vector<std::size_t>& names, std::size_t end,
                                   const std::string& kind, bool special) {
    for (const std::size_t name : names) {
        if (special) continue;
        const std::string variable{textAt(name)};
        out_[end] +=
            words::joined(" static const ::cusim::VariablesOfTemplate cusimRegistered_", variable,
                          "{\"", variable, "\", ::cusim::MemoryKind::", kind, "};");
    }
}

void Translator::registerVariables(const std::vector<std::size_t>& names, std::size_t end,
                                   const std::string& kind, bool certain) {
    for (const std::size_t name : names) {
        const std::string variable{textAt(name)};
        out_[end] +=
            words::joined(" static const ::cusim::VariableRegistration cusimRegistered_", variable,
                          "{", variable, ", \"", variable, "\", ::cusim::MemoryKind::", kind, "};");
        if (certain && kind != "ManagedVariable") deviceVariables_[textAt(name)] = name;
        if (kind != "ConstantVariable") continue;
        // ptxas refuses a file with more. The sum leaves out variables of a namespace or an #if,
        // whose names may not exist here.
        std::string bytes = "sizeof(" + variable + ")";
        if (certain) bytes = constantBytes_ += (constantBytes_.empty() ? "" : " + ") + bytes;
        out_[end] += " static_assert(" + bytes +
                     " <= 65536, \"too much constant memory, in this line and those above\");";
    }
}

}  // namespace translate
