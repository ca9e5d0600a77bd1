#include "simulator/translate/translate.h"

#include <algorithm>

#include "simulator/translate/translator.h"
#include "text/joined.h"

namespace translate {

bool relaxedConstexpr = false;

TranslationError::TranslationError(const std::string& file, int line, const std::string& cause,
                                   const std::string& remedy)
    : std::runtime_error(words::joined(file, ":", line, ": error: ", cause, "; ", remedy)),
      report_(words::joined(file, ":", line, ": error: ", cause, "\nhelp: line ", line, ": ",
                            remedy, ".\n")) {}

Translator::Translator(std::vector<Token> tokens, const std::string& name, bool whole)
    : Walk(std::move(tokens)), name_(name), whole_(whole) {
    joinBrackets();
    for (const Token& token : tokens_) out_.emplace_back(token.text);
}

std::string Translator::run() {
    findNames();
    findDeducedKernels();
    refuseCallsAcross();
    // A variable with C linkage takes no tag.
    linksAsC_ = std::any_of(tokens_.begin(), tokens_.end(),
                            [](const Token& token) { return token.text == "\"C\""; });
    Scope scope(*this);
    std::size_t body = 0;  // where the outermost brace around i, of a function or a type, stands
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
        const bool wasOutside = scope.outside();
        scope.pass(i);
        if (wasOutside && !scope.outside()) {
            body = i;
            if (!scope.inCondition()) deviceBody(i);
        } else if (tokens_[i].kind == Token::Directive) {
            macro(i);
            if (!whole_) refuseLibrary(i);
        } else if (!cudaWord(i, body, scope) && !hostWord(i, body, scope) && !scope.outside()) {
            tellCast(i, body);
        }
    }
    std::string result;
    for (const std::string& piece : out_) result += piece;
    return result + alignmentOfSixteenBytes();
}

// Translates a word of CUDA's: a launch, a variable of the device, a kernel. Returns false for all
// others.
bool Translator::cudaWord(std::size_t i, std::size_t body, const Scope& scope) {
    const bool outside = scope.outside(), certain = !outside && !scope.inCondition();
    if (is(i, "<<<") && !is(before(i), "operator")) {
        if (whole_ && !outside && isDeviceCode(i, body))
            refuse(i,
                   "a kernel launches a kernel (dynamic parallelism), which is not supported "
                   "on the simulated device",
                   "launch it from the host");
        launch(i);
        if (certain && !scope.inNamespace()) refusePassedVariables(i, body);
    } else if (is(i, "__shared__")) {
        sharedDeclaration(i, outside);
    } else if (isAnyOf(i, {"__device__", "__constant__", "__managed__"})) {
        if (outside) variable(i, !scope.inNamespace() && !scope.inCondition());
        if (certain) refuseLocalVariable(i);
    } else if (certain && isCallOfKernel(i)) {
        const std::string kernel{textAt(i)};
        refuse(i, "a kernel is launched, and not called",
               "write " + kernel + "<<<grid, block>>>(arguments)");
    } else {
        return castOfKernel(i);
    }
    return true;
}

// Translates a word that g++ reads otherwise than nvcc. Returns false for all others.
bool Translator::hostWord(std::size_t i, std::size_t body, const Scope& scope) {
    if (whole_ && is(i, "cudaMalloc") && is(after(i), "(")) {
        keepAllocatedType(i);
    } else if (isUnusedExchange(i)) {
        // It has the same length: findings look for an expression by its column.
        out_[i] = "atomicSets";
    } else if (is(i, "__noinline__") && !is(before(i), "(") && !is(before(i), ",")) {
        // A macro would break the standard library, which uses a word of that name.
        out_[i] = "__attribute__((noinline))";
    } else if (is(i, "thread_local") && !linksAsC_) {
        out_[i] = "thread_local CUSIM_OF_HOST";
    } else if (is(i, "asm") || is(i, "__asm__")) {
        if (!whole_) refuseAssembly(tokens_[i].line);
        if (!scope.outside()) assembly(i, body);
    } else if (whole_ && scope.outside() && is(i, "texture")) {
        refuseTextureReference(i);
    } else {
        return !scope.inNamespace() && nameOnHost(i, body, scope.outside());
    }
    return true;
}

std::string Translator::fileOf(std::size_t i) const {
    const std::string_view file = i < tokens_.size() ? tokens_[i].file : std::string_view{};
    return file.empty() ? escaped(name_) : std::string(file);
}

void Translator::refuse(std::size_t i, const std::string& cause, const std::string& remedy) const {
    const std::string_view file = tokens_[i].file;
    throw TranslationError(file.empty() ? name_ : std::string(file), tokens_[i].line, cause,
                           remedy);
}

void Translator::refuseLine(int line, const std::string& cause, const std::string& remedy) const {
    throw TranslationError(name_, line, cause, remedy);
}

void Translator::refuseAssembly(int line) const {
    refuseLine(line, "inline PTX (asm) is not supported on the simulated device",
               "write it in C++, or run on a card with DEVICE=gpu");
}

// Refuses a library that programs may have which cusim compiles, and labs not.
void Translator::refuseLibrary(std::size_t directive) const {
    const std::string_view text = textAt(directive);
    if (text.find("include") != std::string_view::npos)
        for (const std::string_view library : {"<thrust/", "<cub/"})
            if (const std::size_t at = text.find(library); at != std::string_view::npos)
                refuse(directive,
                       std::string(text.substr(at, text.find('>', at) + 1 - at)) +
                           " belongs to a library for a card",
                       "the simulated device has no such library; write the kernel");
}

// Turns launches inside a macro into calls; refuses a macro whose expansion only the translator
// could turn into C++, which it does not see.
void Translator::macro(std::size_t directive) {
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
        if (token.text == "<<<") launchInMacro(directive, line);
        if (token.text == "__shared__" && isExtern)
            refuseLine(line,
                       "extern __shared__ inside a macro is not supported on the simulated device",
                       "declare the array where the macro is used");
        if (token.text == "asm" || token.text == "__asm__") refuseAssembly(line);
    }
}

// Returns 1 for #if, #ifdef and #ifndef, -1 for #endif, 0 for any other preprocessor line.
int Translator::opensCondition(std::size_t directive) const {
    const std::string_view text = textAt(directive);
    const std::size_t word = text.find_first_not_of(" \t", 1);
    if (word == std::string_view::npos) return 0;
    return text.compare(word, 2, "if") == 0 ? 1 : text.compare(word, 5, "endif") == 0 ? -1 : 0;
}

// Tests for #include "name", not <name>.
bool Translator::includesOwnHeader(std::size_t directive) const {
    const std::string_view text = textAt(directive);
    return text.find("include") != std::string_view::npos &&
           text.find('"') != std::string_view::npos;
}

void Translator::Scope::pass(std::size_t i) {
    if (translator_.tokens_[i].kind == Token::Directive) {
        conditions_ += translator_.opensCondition(i);
    } else if (translator_.is(i, "{")) {
        isNamespace_.push_back(translator_.opensNamespace(i));
        ++(isNamespace_.back() ? namespaces_ : depth_);
    } else if (translator_.is(i, "}") && !isNamespace_.empty()) {
        --(isNamespace_.back() ? namespaces_ : depth_);
        isNamespace_.pop_back();
    }
}

std::string Translator::escaped(const std::string& path) {
    std::string out;
    for (const char c : path) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out;
}

bool Translator::opensNamespace(std::size_t brace) const {
    // namespace a::b {   namespace {   extern "C" {
    std::size_t i = before(brace);
    if (i < tokens_.size() && tokens_[i].kind == Token::Literal) return is(before(i), "extern");
    while (i < tokens_.size() && (isWord(i) || is(i, "::"))) {
        if (is(i, "namespace")) return true;
        i = before(i);
    }
    return false;
}

std::string translate(std::string_view text, const std::string& name) {
    // Some editors on Windows put it in front. Compilers skip it only at the start of a file.
    constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
    // A plain letter of UTF-16 has a byte of zeros.
    const std::string_view start = text.substr(0, 2);
    if (start == "\xff\xfe" || start == "\xfe\xff" || start.find('\0') < start.size())
        throw TranslationError(name, 1, "the file is saved as UTF-16, which compilers do not read",
                               "save it as UTF-8");
    if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark)
        text.remove_prefix(kByteOrderMark.size());
    return "#include <cuda_runtime.h>\n#line 1 \"" + Translator::escaped(name) + "\"\n" +
           Translator(tokenize(text), name).run();
}

std::string translatePreprocessed(std::string_view text, const std::string& name,
                                  std::string_view ownHeaders) {
    return Translator(tokenizePreprocessed(text, ownHeaders), name, true).run();
}

}  // namespace translate
