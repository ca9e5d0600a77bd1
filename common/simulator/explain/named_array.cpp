#include "simulator/explain/named_array.h"

#include <algorithm>

#include "simulator/engine/worker.h"
#include "simulator/findings/source_lines.h"
#include "simulator/memory/columns.h"
#include "simulator/memory/element_names.h"
#include "simulator/memory/shared_memory.h"
#include "simulator/memory/symbols.h"
#include "simulator/translate/navigation.h"

namespace cusim {
namespace {

using translate::Token;

// Returns the kernel's name without its namespace and template arguments: "tiled" for
// "void course::tiled<16>(float*)". The launch may use a pointer of another name.
std::string plainName(const KernelCall& call) {
    std::string name = call.function ? demangled(mangledName(call.function)) : call.name;
    const std::string unnamed = "(anonymous namespace)::";
    if (const std::size_t at = name.find(unnamed); at != std::string::npos)
        name.erase(at, unnamed.size());
    name.erase(std::min(name.find_first_of("<("), name.size()));
    return name.substr(name.find_last_of(" :") + 1);
}

// The function of a source file that holds a line, if that is the running kernel.
class Kernel : translate::Walk {
  public:
    Kernel(std::string_view text, int line, const KernelCall& call)
        : Walk(translate::tokenize(text)), text_(text), call_(call) {
        for (const Token& token : tokens_)
            if (token.kind == Token::Directive) directives_.push_back(token.text);
        tokens_.erase(std::remove_if(tokens_.begin(), tokens_.end(),
                                     [](const Token& token) {
                                         return token.kind == Token::Blank ||
                                                token.kind == Token::Directive;
                                     }),
                      tokens_.end());
        const std::string name = plainName(call);
        for (std::size_t i = 0; i + 1 < tokens_.size(); ++i) {
            if (!isWord(i) || tokens_[i].text != name || !is(i + 1, "(")) continue;
            const std::size_t body = skipBrackets(i + 1);
            if (!is(body, "{")) continue;
            const std::size_t end = skipBrackets(body);
            if (tokens_[body].line > line || tokens_[end - 1].line < line) continue;
            parameters_ = i + 1, body_ = body, end_ = end;
            return;
        }
    }

    bool found() const { return body_ > 0; }

    std::vector<PointerParameter> pointers() const {
        std::vector<const void*> values(call_.parameters);
        call_.pointers(call_.arguments, values.data());
        const std::vector<std::string> names = parameterNames();
        std::vector<PointerParameter> all;
        for (std::size_t i = 0; names.size() == values.size() && i < names.size(); ++i)
            if (values[i] && !names[i].empty()) all.push_back({names[i], values[i]});
        return all;
    }

    // Returns the index of the token that begins at this line and column, or the end.
    std::size_t tokenAt(int line, int column) const {
        for (std::size_t i = body_; i < end_; ++i)
            if (tokens_[i].line == line && columnOfToken(i) == column) return i;
        return tokens_.size();
    }

    // Returns the arrays that the access at a token may mean. The column of g++ is, for M[i], the
    // closing bracket; for *p, the star; for a store, the assignment; for a structure, the variable
    // or the assignment that takes it, or the bracket of the call whose result is stored; for a
    // load in one of two branches, the question mark.
    std::vector<NamedArray> accessed(std::size_t i, AccessKind kind) const {
        if (is(i, "?")) return elementsIn(i + 1);
        // The first argument of an atomic.
        if (kind == AccessKind::Atomic && is(i, "(")) return arraysIn(i + 1, endOfArgument(i + 1));
        const std::size_t assignment = isWord(i) ? i + 1 : i;
        if (kind == AccessKind::Load && is(assignment, "=") && is(assignment + 1, "*"))
            i = assignment + 1;
        if (kind != AccessKind::Load && is(i, "(") && is(i - 2, "=")) i -= 2;
        if (is(i, "=") && kind != AccessKind::Load) {
            --i;
            while (isAnyOf(i, {"+", "-", "*", "/", "%", "&", "|", "^"})) --i;
        }
        if (is(i, "*")) return arraysIn(i + 1, endOfPointer(i + 1));
        const std::size_t brackets = i;
        while (is(i, "]")) i = openingOf(i) - 1;
        const bool element = i < brackets;
        // A parameter of two brackets holds pointers, and the element is elsewhere.
        if (element && is(openingOf(brackets) - 1, "]") && isPointer(i)) return {};
        std::size_t first = is(i, ")") ? openingOf(i) : i;
        if (is(first - 1, ">")) first = beginOfCast(first);
        if (!element && !is(first - 1, "*")) return {};
        return isAnyOf(first - 1, {".", "->"}) ? std::vector<NamedArray>{} : arraysIn(first, i + 1);
    }

    // Returns whether the element whose brackets end at this token is stored or loaded.
    AccessKind kindAt(std::size_t i) const {
        for (++i; is(i, "[");) i = skipBrackets(i);
        return is(i, "=") && !is(i + 1, "=") ? AccessKind::Store : AccessKind::Load;
    }

    std::vector<NumberParameter> numbers() const {
        std::vector<WholeNumber> values(call_.parameters);
        call_.numbers(call_.arguments, values.data());
        const std::vector<std::string> names = parameterNames();
        std::vector<NumberParameter> all;
        for (std::size_t i = 0; names.size() == values.size() && i < names.size(); ++i)
            if (values[i].given && !names[i].empty()) all.push_back({names[i], values[i].value});
        return all;
    }

    IndexValues values(const BuiltIns& at = {}) const {
        return {tokens_, body_, end_, directives_, numbers(), at};
    }

    // Returns the names of variables on a line, in their order.
    std::vector<std::string> namesAt(int line) const {
        std::vector<std::string> all;
        for (std::size_t i = body_; i < end_ && tokens_[i].line <= line; ++i)
            if (tokens_[i].line == line && isWord(i) && !isAnyOf(i - 1, {".", "->"}) &&
                !isAnyOf(i + 1, {".", "->", "("}))
                all.emplace_back(tokens_[i].text);
        return all;
    }

    // Returns what is wrong with a guard before or around the line.
    std::string wrongGuard(int line) const {
        for (std::size_t i = body_; i < end_ && tokens_[i].line <= line; ++i) {
            if (!is(i, "if") || !is(i + 1, "(")) continue;
            const std::size_t then = skipBrackets(i + 1);
            const auto count = [&](std::string_view text) {
                return std::count_if(tokens_.begin() + static_cast<std::ptrdiff_t>(i),
                                     tokens_.begin() + static_cast<std::ptrdiff_t>(then),
                                     [&](const Token& token) { return token.text == text; });
            };
            const auto both = count("&"), either = count("|"), above = count(">"),
                       below = count("<");
            const bool returns = is(then, "return") || (is(then, "{") && is(then + 1, "return"));
            const std::string where = joined("The if in line ", tokens_[i].line);
            if (returns && both == 2 && either == 0 && above == 2 && below == 0)
                return where +
                       " returns only if both comparisons are true (&&): a thread that is outside "
                       "in one direction goes on. Write || instead.";
            const bool holds = is(then, "{") && tokens_[skipBrackets(then) - 1].line >= line;
            if (holds && !returns && either == 2 && both == 0 && below == 2 && above == 0)
                return where +
                       " lets a thread pass if one comparison is true (||): it may be outside in "
                       "the other direction. Write && instead.";
        }
        return "";
    }

  private:
    std::vector<std::string> parameterNames() const {
        std::vector<std::string> names;
        for (std::size_t i = parameters_ + 1; i < body_; i = pass(i)) {
            const bool last = is(i + 1, ",") || i + 2 == body_;
            if (last) names.emplace_back(isWord(i) ? tokens_[i].text : "");
        }
        return names;
    }
    bool isPointer(std::size_t i) const {
        const auto all = pointers();
        return std::any_of(all.begin(), all.end(),
                           [&](const auto& one) { return one.name == textAt(i); });
    }
    std::size_t endOfArgument(std::size_t i) const {
        while (i < end_ && !is(i, ",") && !closes(i)) i = pass(i);
        return i;
    }
    bool isCast(std::size_t i) const {
        const std::string_view text = tokens_[i].text;
        return text.size() > 5 && text.substr(text.size() - 5) == "_cast";
    }
    // Returns the end of the operand of a star: p, (p + 1), reinterpret_cast<T*>(p).
    std::size_t endOfPointer(std::size_t i) const {
        if (isCast(i))
            while (i < end_ && !is(i, "(")) ++i;
        return is(i, "(") ? skipBrackets(i) : i + 1;
    }
    // Returns the index at which a cast begins whose bracket opens here; that of the bracket if it
    // is no cast.
    std::size_t beginOfCast(std::size_t opening) const {
        std::size_t i = opening;
        while (i > body_ && !isCast(i) && !is(i, ";")) --i;
        return isCast(i) ? i : opening;
    }

    int columnOfToken(std::size_t i) const {
        const std::size_t at = static_cast<std::size_t>(tokens_[i].text.data() - text_.data());
        const std::size_t newline = at == 0 ? std::string::npos : text_.rfind('\n', at - 1);
        return static_cast<int>(newline == std::string::npos ? at + 1 : at - newline);
    }

    static void add(std::vector<NamedArray>& all, const NamedArray& one) {
        const bool known = std::any_of(all.begin(), all.end(), [&](const NamedArray& other) {
            return other.allocation == one.allocation && other.shared == one.shared;
        });
        if (!known) all.push_back(one);
    }

    // Returns the arrays of the elements in an expression that begins here.
    std::vector<NamedArray> elementsIn(std::size_t first) const {
        std::vector<NamedArray> all;
        for (std::size_t i = first; i < end_ && !isAnyOf(i, {";", ","}) && !closes(i); i = pass(i))
            if (isWord(i) && is(i + 1, "["))
                for (const NamedArray& one : arraysIn(i, i + 1)) add(all, one);
        return all;
    }

    // Returns the arrays that names of these tokens may stand for, but not those of indices.
    std::vector<NamedArray> arraysIn(std::size_t first, std::size_t end, int depth = 0) const {
        std::vector<NamedArray> all;
        for (std::size_t i = first; i < std::min(end, end_); ++i) {
            if (is(i, "[")) i = skipBrackets(i) - 1;
            if (!isWord(i) || isAnyOf(i - 1, {".", "->"})) continue;
            for (const NamedArray& one : arraysOf(tokens_[i].text, depth)) add(all, one);
        }
        return all;
    }

    // Returns the arrays that a name may stand for: a parameter, a shared array, a variable, or a
    // pointer that the kernel sets to one of these, as in float* Nds = MdsNds + n.
    std::vector<NamedArray> arraysOf(std::string_view name, int depth) const {
        std::vector<NamedArray> all;
        constexpr int kDeepestBase = 4;
        if (depth > kDeepestBase) return all;
        for (const PointerParameter& parameter : pointers())
            if (parameter.name == name)
                add(all, {DeviceMemory::instance().find(parameter.value), 0, parameter.name});
        if (const std::size_t shared = sharedArray(name)) add(all, {nullptr, shared});
        for (const auto& allocation : DeviceMemory::instance().allocations())
            if (allocation->isVariable() && allocation->name == name) add(all, {allocation.get()});
        for (std::size_t i = body_; i < end_; ++i) {
            if (tokens_[i].text != name || !is(i + 1, "=") || is(i + 2, "=")) continue;
            std::size_t end = i + 2;
            while (end < end_ && !isAnyOf(end, {";", ","}) && !closes(end)) end = pass(end);
            for (const NamedArray& one : arraysIn(i + 2, end, depth + 1)) add(all, one);
        }
        return all;
    }

    // Returns the index of the shared array of this name that the kernel declares, or 0.
    std::size_t sharedArray(std::string_view name) const {
        const auto& arrays = SharedMemoryMap::instance().arrays();
        for (std::size_t i = body_; i + 1 < end_; ++i) {
            if (!is(i, "__shared__")) continue;
            const bool isDynamic = is(i - 1, "extern");
            for (std::size_t j = i + 1; j < end_ && !is(j, ";"); ++j) {
                if (tokens_[j].text != name) continue;
                if (isDynamic) return 1;
                for (std::size_t k = 2; k < arrays.size(); ++k)
                    if (arrays[k].name == name &&
                        SharedMemoryMap::instance().declares(call_.function, k))
                        return k;
            }
        }
        return 0;
    }

    std::string_view text_;
    std::vector<std::string_view> directives_;
    const KernelCall& call_;
    std::size_t parameters_ = 0, body_ = 0, end_ = 0;
};

}  // namespace

std::vector<PointerParameter> pointerParameters(const std::string& file, int line,
                                                const KernelCall& call) {
    const std::string text = sourceText(file);
    const Kernel kernel(text, line, call);
    return kernel.found() ? kernel.pointers() : std::vector<PointerParameter>{};
}

std::optional<NamedArray> arrayNamedAt(const void* place, AccessKind kind, const KernelCall& call) {
    const Place at = placeOf(place);
    const std::string text = sourceText(at.file);
    const Kernel kernel(text, at.line, call);
    if (!kernel.found()) return std::nullopt;
    const std::vector<NamedArray> arrays =
        kernel.accessed(kernel.tokenAt(at.line, columnOf(place)), kind);
    if (arrays.size() != 1 || (!arrays[0].allocation && arrays[0].shared == 0)) return std::nullopt;
    return arrays[0];
}

std::uintptr_t startOf(const Worker& worker, const NamedArray& array) {
    return array.allocation ? array.allocation->base
                            : worker.threadLocals + worker.shared[array.shared].start;
}

std::string accessOf(const NamedArray& array, AccessKind kind) {
    if (array.shared != 0)
        return joined(verb(kind), " ", arrayName(true, static_cast<std::uint32_t>(array.shared)));
    return array.parameter.empty() ? "" : joined(verb(kind), " ", array.parameter);
}

std::string accessAt(const Place& at, int column, const KernelCall& call) {
    const std::string text = sourceText(at.file);
    const Kernel kernel(text, at.line, call);
    if (!kernel.found()) return "";
    const std::size_t token = kernel.tokenAt(at.line, column);
    const std::vector<NamedArray> arrays = kernel.accessed(token, AccessKind::Load);
    return arrays.size() == 1 ? accessOf(arrays[0], kernel.kindAt(token)) : "";
}

std::string adviceOnGuard(const Finding& finding, const KernelCall& call) {
    const std::string text = sourceText(finding.file);
    const Kernel kernel(text, finding.line, call);
    return kernel.found() ? kernel.wrongGuard(finding.line) : "";
}

std::optional<IndexValue> indexValue(const Finding& finding, const KernelCall& call,
                                     const std::string& name, const BuiltIns& thread) {
    const std::string text = sourceText(finding.file);
    const Kernel kernel(text, finding.line, call);
    return kernel.found() ? kernel.values(thread).of(name) : std::nullopt;
}

NamedValue negativeValue(const Finding& finding, const KernelCall& call) {
    const std::string text = sourceText(finding.file);
    const Kernel kernel(text, finding.line, call);
    if (!kernel.found()) return {};
    const IndexValues values = kernel.values();
    for (const std::string& name : kernel.namesAt(finding.line))
        if (const auto value = values.of(name); value && value->value < 0) return {name, *value};
    return {};
}

std::string ifBlocksOverlap(const Finding& finding, const KernelCall& call,
                            const LaunchConfig& config) {
    const std::string text = sourceText(finding.file);
    const Kernel kernel(text, finding.line, call);
    if (!kernel.found()) return "";
    const auto along = [&](auto direction, char axis, unsigned threads) -> std::string {
        BuiltIns first{{}, {}, config.block, config.grid, true}, thread = first, block = first;
        thread.thread.*direction = block.block.*direction = 1;
        for (const std::string& name : kernel.namesAt(finding.line)) {
            const auto is = kernel.values(first).of(name), beside = kernel.values(thread).of(name),
                       next = kernel.values(block).of(name);
            if (!is || !beside || !next) continue;
            const long long step = beside->value - is->value, apart = next->value - is->value;
            if (step > 0 && apart > 0 && apart < step * threads)
                return joined("From one block to the next in ", axis, ", ", name, " grows by ",
                              apart, " (line ", is->line, "), but the ", threads,
                              " threads of a block take up ", step * threads,
                              ": multiply blockIdx.", axis, " by ", step * threads,
                              step == 1 ? joined(", which is blockDim.", axis) : "", ".");
        }
        return "";
    };
    const std::string across = along(&uint3::x, 'x', config.block.x);
    return across.empty() ? along(&uint3::y, 'y', config.block.y) : across;
}

int changedAt(const Finding& finding, const KernelCall& call, const std::string& name) {
    const std::string text = sourceText(finding.file);
    const Kernel kernel(text, finding.line, call);
    return kernel.found() ? kernel.values().changedAt(name) : 0;
}

std::vector<NumberParameter> numbersInKernel(const Finding& finding, const KernelCall& call) {
    const std::string text = sourceText(finding.file);
    const Kernel kernel(text, finding.line, call);
    return kernel.found() ? kernel.numbers() : std::vector<NumberParameter>{};
}

std::vector<NumberParameter> numbersAt(const Finding& finding, const KernelCall& call) {
    const std::string text = sourceText(finding.file);
    const Kernel kernel(text, finding.line, call);
    if (!kernel.found()) return {};
    const std::vector<std::string> names = kernel.namesAt(finding.line);
    std::vector<NumberParameter> all = kernel.numbers();
    all.erase(std::remove_if(all.begin(), all.end(),
                             [&](const NumberParameter& one) {
                                 return std::find(names.begin(), names.end(), one.name) ==
                                        names.end();
                             }),
              all.end());
    return all;
}

}  // namespace cusim
