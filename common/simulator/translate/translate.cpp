#include "simulator/translate/translate.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>

#include "simulator/translate/token.h"

namespace translate {
namespace {

// One rewriting of the token sequence; `out_` holds the new text of each token.
class Translator {
  public:
    Translator(std::string_view text, const std::string& name)
        : name_(name), tokens_(tokenize(text)) {
        for (const Token& token : tokens_) out_.emplace_back(token.text);
    }

    std::string run() {
        findDeducedKernels();
        int depth = 0;       // of braces that open a function body or an initializer
        int namespaces = 0;  // open braces of namespaces and extern "C"
        std::vector<bool> isNamespace;
        for (std::size_t i = 0; i < tokens_.size(); ++i) {
            if (is(i, "{")) {
                isNamespace.push_back(opensNamespace(i));
                ++(isNamespace.back() ? namespaces : depth);
            } else if (is(i, "}") && !isNamespace.empty()) {
                --(isNamespace.back() ? namespaces : depth);
                isNamespace.pop_back();
            } else if (tokens_[i].kind == Token::Directive) {
                macro(i);
            } else if (is(i, "<<<") && !is(before(i), "operator")) {
                launch(i);
            } else if (is(i, "__shared__")) {
                sharedDeclaration(i, depth == 0);
            } else if (depth == 0 &&
                       (is(i, "__device__") || is(i, "__constant__") || is(i, "__managed__"))) {
                variable(i);
            } else if (is(i, "__noinline__") && !is(before(i), "(") && !is(before(i), ",")) {
                // As a macro it would break the standard library, which has a word of that name.
                out_[i] = "__attribute__((noinline))";
            } else if (is(i, "asm") || is(i, "__asm__")) {
                refuseAssembly(tokens_[i].line);
            }
        }
        std::string result = "#include <cuda_runtime.h>\n#line 1 \"" + escaped(name_) + "\"\n";
        for (const std::string& piece : out_) result += piece;
        return result;
    }

  private:
    bool is(std::size_t i, std::string_view text) const {
        return i < tokens_.size() && tokens_[i].text == text && tokens_[i].kind != Token::Literal &&
               tokens_[i].kind != Token::Blank;
    }
    bool blank(std::size_t i) const {
        return tokens_[i].kind == Token::Blank || tokens_[i].kind == Token::Directive;
    }
    std::size_t after(std::size_t i) const {
        do ++i;
        while (i < tokens_.size() && blank(i));
        return i;
    }
    // Past the beginning it answers the end.
    std::size_t before(std::size_t i) const {
        while (i-- > 0)
            if (!blank(i)) return i;
        return tokens_.size();
    }
    std::string_view textAt(std::size_t i) const {
        return i < tokens_.size() ? tokens_[i].text : std::string_view{};
    }

    [[noreturn]] void refuse(std::size_t i, const std::string& cause,
                             const std::string& remedy) const {
        refuseLine(tokens_[i].line, cause, remedy);
    }
    [[noreturn]] void refuseLine(int line, const std::string& cause,
                                 const std::string& remedy) const {
        throw TranslationError(name_ + ":" + std::to_string(line) + ": error: " + cause + "; " +
                               remedy);
    }
    [[noreturn]] void refuseAssembly(int line) const {
        refuseLine(line, "inline PTX (asm) is not supported on the simulated device",
                   "write it in C++, or run on a card with DEVICE=gpu");
    }

    // What a macro expands to is not seen here, so that g++ would stumble over it.
    void macro(std::size_t directive) const {
        const std::string_view text = textAt(directive);
        const std::vector<Token> inside = tokenize(text.substr(1));
        std::size_t word = 0;
        while (word < inside.size() && inside[word].kind == Token::Blank) ++word;
        if (word == inside.size() || inside[word].text != "define") return;
        bool isExtern = false;
        for (const Token& token : inside) {
            if (token.kind != Token::Word && token.kind != Token::Symbol) continue;
            const int line = tokens_[directive].line + token.line - 1;
            isExtern |= token.text == "extern";
            if (token.text == "<<<")
                refuseLine(line, "a launch inside a macro is not supported on the simulated device",
                           "write the launch where the macro is used");
            if (token.text == "__shared__" && isExtern)
                refuseLine(line,
                           "extern __shared__ inside a macro is not supported on the simulated "
                           "device",
                           "declare the array where the macro is used");
            if (token.text == "asm" || token.text == "__asm__") refuseAssembly(line);
        }
    }

    static std::string escaped(const std::string& path) {
        std::string out;
        for (const char c : path) {
            if (c == '"' || c == '\\') out += '\\';
            out += c;
        }
        return out;
    }

    static bool isWordEnd(char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
    }

    bool opensNamespace(std::size_t brace) const {
        // namespace a::b {   namespace {   extern "C" {
        std::size_t i = before(brace);
        if (i < tokens_.size() && tokens_[i].kind == Token::Literal) return is(before(i), "extern");
        while (i < tokens_.size() && (tokens_[i].kind == Token::Word || is(i, "::"))) {
            if (is(i, "namespace")) return true;
            i = before(i);
        }
        return false;
    }

    // Index behind the bracket that matches the one at i; the end where none does.
    std::size_t skipBrackets(std::size_t i) const {
        int depth = 0;
        for (; i < tokens_.size(); i = after(i)) {
            if (is(i, "(") || is(i, "[") || is(i, "{")) ++depth;
            if (is(i, ")") || is(i, "]") || is(i, "}"))
                if (--depth == 0) return after(i);
        }
        return i;
    }

    // Kernels whose name alone does not fix their parameter types: templates, and names that are
    // defined more than once.
    void findDeducedKernels() {
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
                // Names of parameters may differ between declaration and definition.
                const std::size_t next = after(j);
                const bool lastOfParameter = is(next, ",") || is(next, ")");
                if (!(tokens_[j].kind == Token::Word && lastOfParameter)) signature += textAt(j);
            }
            Signatures& all = kernels[kernel];
            (is(end, "{") ? all.defined : all.declared).insert(signature);
            if (const int parameters = templateParameters(i))
                templates_[kernel] = std::max(templates_[kernel], parameters);
        }
        // A declaration may be written in other words than its definition.
        for (const auto& [kernel, all] : kernels)
            if ((all.defined.empty() ? all.declared : all.defined).size() > 1)
                overloaded_.insert(kernel);
    }

    // Of the kernel whose __global__ stands at i; 0 where it is no template.
    int templateParameters(std::size_t global) const {
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

    // The bracket that matches the closing one at i; the end where none does.
    std::size_t openingOf(std::size_t i) const {
        int depth = 0;
        for (; i < tokens_.size(); i = before(i)) {
            if (is(i, ")") || is(i, "]")) ++depth;
            if ((is(i, "(") || is(i, "[")) && --depth == 0) return i;
        }
        return i;
    }

    // The < that matches the > or >>> at i; the end where i is none or none does.
    std::size_t openingAngle(std::size_t i) const {
        if (!is(i, ">") && !is(i, ">>>")) return tokens_.size();
        int depth = 0;
        for (; i < tokens_.size(); i = before(i)) {
            if (is(i, ")")) i = openingOf(i);
            if (is(i, ">")) ++depth;
            if (is(i, ">>>")) depth += 3;
            if (is(i, "<") && --depth == 0) return i;
            if (is(i, "<<<")) depth -= 3;
        }
        return tokens_.size();
    }

    // How many template arguments or parameters stand between < and >.
    int countArguments(std::size_t open, std::size_t close) const {
        int count = after(open) == close ? 0 : 1, depth = 0;
        for (std::size_t i = after(open); i < close; i = after(i)) {
            if (is(i, "(") || is(i, "[") || is(i, "{") || is(i, "<")) ++depth;
            if (is(i, ")") || is(i, "]") || is(i, "}") || is(i, ">")) --depth;
            if (depth == 0 && is(i, ",")) ++count;
        }
        return count;
    }

    // Where the name of the kernel begins: ns::kernel or kernel<arguments>.
    std::size_t startOfKernel(std::size_t launch) const {
        std::size_t i = before(launch);
        const std::size_t angle = openingAngle(i);
        if (angle < tokens_.size()) i = before(angle);
        // A pointer in brackets, an element of a table of kernels, what a function returned.
        while (is(i, ")") || is(i, "]")) {
            const std::size_t open = openingOf(i), callee = before(open);
            const bool calls = isName(callee) || is(callee, ")") || is(callee, "]");
            if (!calls || isControl(callee)) return open;
            i = callee;
        }
        while (is(before(i), "::") || is(before(i), ".") || is(before(i), "->")) {
            const std::size_t qualifier = before(before(i));
            if (!isName(qualifier)) return before(i);
            i = qualifier;
        }
        return i;
    }

    bool isName(std::size_t i) const {
        return i < tokens_.size() && tokens_[i].kind == Token::Word && !is(i, "return") &&
               !is(i, "else") && !is(i, "do");
    }
    // The ) of if (...), for (...) or while (...), or the word itself.
    bool isControl(std::size_t i) const {
        if (is(i, ")")) i = before(openingOf(i));
        return is(i, "if") || is(i, "for") || is(i, "while") || is(i, "switch");
    }

    // Whether only the call itself tells which function the kernel is.
    bool isDeduced(std::size_t start, std::size_t open) const {
        std::size_t last = before(open);
        int given = 0;
        const std::size_t angle = openingAngle(last);
        if (angle < tokens_.size() && angle > start) {
            given = countArguments(angle, last);
            last = before(angle);
        }
        const std::string kernel{textAt(last)};
        const auto found = templates_.find(kernel);
        return overloaded_.count(kernel) != 0 ||
               (found != templates_.end() && given < found->second);
    }

    void launch(std::size_t open) {
        const std::size_t start = startOfKernel(open);
        if (start >= open || !(isName(start) || is(start, "(") || is(start, "::")))
            refuse(open, "a launch <<<...>>> without a kernel's name before it",
                   "write kernel<<<grid, block>>>(arguments)");
        std::size_t close = open;
        int depth = 0;
        for (;; close = after(close)) {
            if (close >= tokens_.size() || is(close, ";"))
                refuse(open, "the launch has no >>>", "write kernel<<<grid, block>>>(arguments)");
            if (is(close, "(") || is(close, "{") || is(close, "[")) ++depth;
            if (is(close, ")") || is(close, "}") || is(close, "]")) --depth;
            if (depth == 0 && is(close, ">>>") && close != open) break;
        }
        if (!is(after(close), "("))
            refuse(close, "the launch has no arguments in parentheses",
                   "write kernel<<<grid, block>>>(arguments)");

        std::string kernel;
        for (std::size_t i = start; i < open; i = after(i)) {
            if (tokens_[i].kind == Token::Word && !kernel.empty() && isWordEnd(kernel.back()))
                kernel += ' ';
            kernel += textAt(i);
        }
        const std::string where = ", ::cusim::Where{\"" + escaped(name_) + "\", " +
                                  std::to_string(tokens_[start].line) + "}, ";
        if (isDeduced(start, open)) {
            out_[start] = "::cusim::prepareDeduced(\"" + escaped(kernel) + "\"" + where +
                          "[](auto... cusimArguments) { " + out_[start];
            out_[before(open)] += "(cusimArguments...); }";
        } else {
            out_[start] = "::cusim::prepare(\"" + escaped(kernel) + "\"" + where + out_[start];
        }
        out_[open] = ", ";
        out_[close] = ")";
    }

    // extern __shared__ T name[];  becomes a pointer to the block's dynamic shared memory.
    void sharedDeclaration(std::size_t shared, bool outside) {
        std::size_t end = shared;
        std::optional<std::size_t> brackets;
        while (end < tokens_.size() && !is(end, ";")) {
            const bool body = is(end, "{") && opensType(end);
            if (is(end, "=") || (is(end, "{") && !body))
                refuse(end, "a __shared__ variable cannot have an initial value",
                       "assign it in the kernel, by one thread, before a __syncthreads()");
            if (is(end, "[") && !brackets) brackets = end;
            end = is(end, "[") || is(end, "(") || body ? skipBrackets(end) : after(end);
        }
        std::size_t first = shared;
        bool isExtern = is(after(shared), "extern");
        for (std::size_t i = before(shared); i < tokens_.size(); i = before(i)) {
            if (is(i, ")") && isAlignment(before(openingOf(i)))) i = before(openingOf(i));
            if (!isAlignment(i) && !is(i, "extern") && !is(i, "__device__") && !is(i, "volatile") &&
                !is(i, "static"))
                break;
            isExtern |= is(i, "extern");
            first = i;
        }
        if (!isExtern) return;
        if (!brackets || !is(after(*brackets), "]"))
            refuse(shared, "extern __shared__ takes an array without a size",
                   "write extern __shared__ float name[]; and pass its bytes at the launch");

        const std::size_t nameAt = before(*brackets);
        std::string type;
        for (std::size_t i = first; i < nameAt; i = after(i)) {
            const bool keyword =
                is(i, "extern") || is(i, "__shared__") || is(i, "__device__") || is(i, "static");
            if (isAlignment(i)) {
                const std::size_t next = skipBrackets(after(i));
                for (std::size_t j = i; j < next; ++j)
                    if (!blank(j)) out_[j].clear();
                i = before(next);
                continue;
            }
            if (!keyword) type += std::string(textAt(i)) + " ";
            out_[i].clear();
        }
        const std::string name{textAt(nameAt)};
        std::string inner;  // of extern __shared__ T name[][16]
        for (std::size_t i = after(after(*brackets)); i < end; i = after(i)) {
            if (inner.empty() && !is(i, "["))
                refuse(i, "one declaration of several extern __shared__ arrays",
                       "declare one; all of them would start at the same address");
            inner += textAt(i);
            out_[i].clear();
        }
        out_[*brackets].clear();
        out_[after(*brackets)].clear();
        // Outside functions a pointer would be that of one host thread, so the array itself is
        // declared, under the simulator's name for it.
        if (outside)
            out_[nameAt] = "extern __thread " + type + name + "[]" + inner +
                           " __asm__(\"cusimDynamicShared\")";
        else if (inner.empty())
            out_[nameAt] = type + "*" + name + " = (" + type + "*)::cusim::dynamicShared()";
        else
            out_[nameAt] = type + "(*" + name + ")" + inner + " = (" + type + "(*)" + inner +
                           ")::cusim::dynamicShared()";
    }

    // struct {   union Name {
    bool opensType(std::size_t brace) const {
        const std::size_t last = before(brace), first = before(last);
        for (const char* word : {"struct", "union", "class"})
            if (is(last, word) || is(first, word)) return true;
        return false;
    }

    bool isAlignment(std::size_t i) const {
        return is(i, "__align__") || is(i, "alignas") || is(i, "__attribute__");
    }

    // __device__ float table[16] = {...}, other;
    void variable(std::size_t qualifier) {
        const std::size_t previous = before(qualifier);
        // The second qualifier of one declaration, as in __device__ __constant__.
        if (is(previous, "extern")) return;
        if (previous < tokens_.size() &&
            (is(previous, "__device__") || is(previous, "__constant__") ||
             is(previous, "__managed__") || is(previous, "__host__") ||
             is(previous, "__forceinline__") || is(previous, "inline")))
            return;
        const char* kind = "DeviceVariable";
        std::vector<std::string> names;
        std::size_t name = tokens_.size(), i = qualifier;
        int angles = 0;
        for (;; i = after(i)) {
            if (i >= tokens_.size()) return;
            if (is(i, "__constant__")) kind = "ConstantVariable";
            if (isAlignment(i)) {
                i = before(skipBrackets(after(i)));
                continue;
            }
            if (is(i, "<")) ++angles;
            if (is(i, ">")) --angles;
            // A parameter list: this is a function.
            if (is(i, "(") || is(i, "operator")) return;
            // Defined elsewhere, and registered there.
            if (is(i, "extern")) return;
            if (is(i, "__shared__")) return;
            if (angles > 0) continue;
            if (is(i, "[") || is(i, "{")) {
                i = before(skipBrackets(i));
            } else if (is(i, "=")) {
                if (name < tokens_.size()) names.emplace_back(textAt(name));
                name = tokens_.size();
                while (i < tokens_.size() && !is(i, ",") && !is(i, ";")) {
                    const bool bracket = is(i, "(") || is(i, "[") || is(i, "{");
                    i = bracket ? skipBrackets(i) : after(i);
                }
                i = before(i);
            } else if (is(i, ",") || is(i, ";")) {
                if (name < tokens_.size()) names.emplace_back(textAt(name));
                name = tokens_.size();
                if (is(i, ";")) break;
            } else if (tokens_[i].kind == Token::Word) {
                name = i;
            }
        }
        for (const std::string& variable : names)
            out_[i] += " static const ::cusim::VariableRegistration cusimRegistered_" + variable +
                       "{" + variable + ", \"" + variable + "\", ::cusim::MemoryKind::" + kind +
                       "};";
    }

    std::string name_;
    std::vector<Token> tokens_;
    std::vector<std::string> out_;
    std::set<std::string> overloaded_;
    std::map<std::string, int> templates_;  // by kernel: the number of template parameters
};

}  // namespace

std::string translate(std::string_view text, const std::string& name) {
    return Translator(text, name).run();
}

}  // namespace translate
