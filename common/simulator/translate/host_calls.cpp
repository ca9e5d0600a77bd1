// Refuses in device code what belongs to the host by its name, as nvcc does: functions of the C
// library and of the CUDA runtime, macros that call these, and classes of the C++ library. Ignores
// a name to which the file gives another meaning.
#include <algorithm>
#include <iterator>

#include "simulator/translate/translator.h"

namespace translate {

namespace {

bool isOfTheHost(std::string_view function) {
    static constexpr std::string_view kNames[] = {
        "abort", "atexit", "atof", "atoi", "calloc", "drand48", "exit", "fclose", "fflush", "fopen",
        "fprintf", "fputs", "fread", "fscanf", "fwrite", "getchar", "getenv", "perror", "putchar",
        "puts", "qsort", "rand", "realloc", "scanf", "sleep", "sprintf", "srand", "sscanf",
        "system", "time", "usleep",
        // The runtime's. A kernel may call some of them, but only linked as no lab's is.
        "cudaDeviceReset", "cudaDeviceSynchronize", "cudaEventCreate", "cudaEventDestroy",
        "cudaEventElapsedTime", "cudaEventRecord", "cudaEventSynchronize", "cudaFree",
        "cudaFreeHost", "cudaFuncSetAttribute", "cudaGetDeviceProperties", "cudaGetLastError",
        "cudaHostAlloc", "cudaMalloc", "cudaMallocHost", "cudaMallocManaged", "cudaMemcpy",
        "cudaMemcpy2D", "cudaMemcpyAsync", "cudaMemcpyFromSymbol", "cudaMemcpyToSymbol",
        "cudaMemset", "cudaMemsetAsync", "cudaPeekAtLastError", "cudaSetDevice", "cudaStreamCreate",
        "cudaStreamDestroy", "cudaStreamSynchronize"};
    return std::find(std::begin(kNames), std::end(kNames), function) != std::end(kNames);
}

// Returns the name that a directive defines, or nothing.
std::string_view defined(const std::vector<Token>& words) {
    return words.size() > 1 && words[0].text == "define" ? words[1].text : std::string_view{};
}

}  // namespace

// Tests for name(...), ::name(...) or std::name(...).
bool Translator::isCallByName(std::size_t name) const {
    if (!is(before(name), "::")) return isUseInside(name);
    const std::size_t scope = before(before(name));
    return is(after(name), "(") && (is(scope, "std") || !isName(scope));
}

// Returns the host's functions that each macro calls, by the macro's name. Ignores a macro inside
// of #if or defined again, which may be another one for the device.
std::map<std::string_view, std::vector<std::string_view>> Translator::macrosOfHost() const {
    std::map<std::string_view, std::vector<std::string_view>> macros;
    std::set<std::string_view> doubtful;
    int conditions = 0;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
        if (tokens_[i].kind != Token::Directive) continue;
        conditions += opensCondition(i);
        std::vector<Token> words = tokenize(textAt(i).substr(1));
        words.erase(std::remove_if(words.begin(), words.end(),
                                   [](const Token& word) { return word.kind == Token::Blank; }),
                    words.end());
        const std::string_view name = defined(words);
        if (words.size() > 1 && words[0].text == "undef") doubtful.insert(words[1].text);
        if (name.empty()) continue;
        if (conditions != 0 || macros.count(name) != 0) doubtful.insert(name);
        std::vector<std::string_view>& calls = macros[name];
        for (std::size_t j = 2; j + 1 < words.size(); ++j) {
            const std::string_view previous = words[j - 1].text;
            const bool isCall = words[j].kind == Token::Word && words[j + 1].text == "(" &&
                                words[j - 1].kind != Token::Word && previous != "." &&
                                previous != "->" && previous != "#";
            if (isCall && isOfTheHost(words[j].text) &&
                std::find(calls.begin(), calls.end(), words[j].text) == calls.end())
                calls.push_back(words[j].text);
        }
    }
    for (const std::string_view name : doubtful) macros[name].clear();
    return macros;
}

// Returns the names to which the file gives another meaning, also in macros, where a name may be a
// parameter's.
std::set<std::string_view> Translator::ownNames() const {
    std::set<std::string_view> names;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
        if (isWord(i) && !isCallByName(i)) names.insert(textAt(i));
        if (tokens_[i].kind != Token::Directive) continue;
        const std::vector<Token> words = tokenize(textAt(i).substr(1));
        for (std::size_t j = 0; j < words.size(); ++j)
            if (words[j].kind == Token::Word && (j + 1 == words.size() || words[j + 1].text != "("))
                names.insert(words[j].text);
    }
    return names;
}

std::vector<std::string_view> Translator::hostCallsAt(std::size_t name,
                                                      const HostNames& host) const {
    const std::string_view text = textAt(name);
    if (!isWord(name)) return {};
    const auto macro = host.macros.find(text);
    if (macro != host.macros.end())
        return is(after(name), "(") ? macro->second : std::vector<std::string_view>{};
    if (!isOfTheHost(text) || host.own.count(text) != 0 || !isCallByName(name)) return {};
    return {text};
}

// Returns the class in std::vector<float> name, std::cout and the like, whose code is the host's.
std::string Translator::hostClassAt(std::size_t name) const {
    if (!is(before(name), "::") || !is(before(before(name)), "std")) return "";
    const std::size_t next = after(name);
    const bool isOne =
        ((is(name, "cout") || is(name, "cerr")) && (is(next, "<<") || is(next, "<"))) ||
        (is(name, "string") && isName(next)) ||
        (is(name, "vector") && is(next, "<") && isName(after(closingAngle(next))));
    return isOne ? "std::" + std::string(textAt(name)) : "";
}

void Translator::refuseHostCalls(std::size_t open, const HostNames& host) const {
    const std::size_t end = skipBrackets(open);
    // If the kernel lacks its last }, the functions below it seem to be inside.
    for (std::size_t i = open; i < end; ++i)
        if (isWord(i) && is(after(i), "(") && is(skipBrackets(after(i)), "{") && sidesOf(i) != 0)
            return;
    Scope scope(*this);
    for (std::size_t i = open; i < end; ++i) {
        scope.pass(i);
        if (scope.inCondition() || !isWord(i)) continue;
        const std::string name{textAt(i)}, type = hostClassAt(i);
        if (!type.empty())
            refuse(i, type + " belongs to the host",
                   name == "vector"   ? "a kernel has arrays of a fixed size, as in float v[3]"
                   : name == "string" ? "a kernel cannot use it"
                                      : "a kernel cannot use it; printf works there");
        const std::vector<std::string_view> calls = hostCallsAt(i, host);
        if (calls.empty()) continue;
        if (host.macros.count(name) == 0)
            refuse(i, name + " is a function of the host", "a kernel cannot call it");
        std::string list{calls.front()};
        for (std::size_t j = 1; j < calls.size(); ++j)
            list += (j + 1 < calls.size() ? ", " : " and ") + std::string(calls[j]);
        refuse(i, name + " is for the host side", "a kernel cannot call " + list);
    }
}

// Tests whether a host function launches a kernel or calls the host's functions, so that a
// __device__ in front of it would not help.
bool Translator::needsTheHost(std::string_view function, const HostNames& host) const {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
        if (!isWord(i) || textAt(i) != function || !is(after(i), "(")) continue;
        const std::size_t open = skipBrackets(after(i));
        if (!is(open, "{") || sidesOf(i) == 0) continue;
        for (std::size_t j = open, end = skipBrackets(open); j < end; ++j)
            if (is(j, "<<<") || !hostCallsAt(j, host).empty()) return true;
    }
    return false;
}

}  // namespace translate
