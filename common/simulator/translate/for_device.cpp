// Puts together what a preprocessor wrote of a file for the host and for the device, which differ
// if __CUDA_ARCH__ is asked for. nvcc compiles both; here a text holds both sides.
#include <algorithm>
#include <utility>

#include "simulator/translate/translate.h"
#include "simulator/translate/translator.h"

namespace translate {

namespace {

// Declarations that may lie on one side alone, before both go on alike.
constexpr std::size_t kMostApart = 100;

}  // namespace

class Translator::BothSides {
  public:
    BothSides(const Translator& host, const Translator& device, std::string& warnings)
        : host_(host), device_(device), warnings_(warnings) {}
    std::string run();

  private:
    // A brace or a declaration that both sides have: where it begins on each, and in the result.
    struct Start {
        std::size_t host, device, text;
        Body body = {};
        bool isFunction = false;
    };

    std::string text(const Translator& of, std::size_t from, std::size_t end) const;
    void follow(std::size_t i);
    void differInFunction(const Start& function);
    static std::vector<std::size_t> starts(const Translator& of, std::size_t from);
    static bool has(const Translator& of, std::size_t from, std::size_t end,
                    std::initializer_list<std::string_view> words);
    bool alike(std::size_t h, std::size_t d) const;
    void differOutside();

    const Translator &host_, &device_;
    std::string& warnings_;
    std::string result_;
    std::size_t h_ = 0, d_ = 0;   // the next tokens
    std::size_t written_ = 0;     // the host's tokens in front of it are
    std::vector<Start> braces_;   // around h_
    Start declaration_{0, 0, 0};  // around h_, outside of functions
};

// Returns tokens, with a marker in front that names their file and line.
std::string Translator::BothSides::text(const Translator& of, std::size_t from,
                                        std::size_t end) const {
    if (from >= of.tokens_.size()) return "";
    const Token& first = of.tokens_[from];
    std::string result =
        "\n# " + std::to_string(first.line) + " \"" + std::string(first.file) + "\"\n";
    if (first.file.empty()) result.clear();
    for (std::size_t i = from; i < end && i < of.tokens_.size(); ++i) result += of.textAt(i);
    return result;
}

std::string Translator::BothSides::run() {
    const std::size_t hosts = host_.tokens_.size(), devices = device_.tokens_.size();
    h_ = host_.after(std::size_t(-1));
    d_ = device_.after(std::size_t(-1));
    for (; written_ < h_ && written_ < hosts; ++written_) result_ += host_.textAt(written_);
    declaration_ = {h_, d_, result_.size()};
    while (h_ < hosts || d_ < devices) {
        if (h_ < hosts && d_ < devices && host_.textAt(h_) == device_.textAt(d_)) {
            follow(h_);
            continue;
        }
        const auto isFunction = [](const Start& brace) { return brace.isFunction; };
        const auto isForDevice = [](const Start& brace) { return brace.body.forDevice; };
        auto function = std::find_if(braces_.begin(), braces_.end(), isForDevice);
        if (function == braces_.end())
            function = std::find_if(braces_.begin(), braces_.end(), isFunction);
        if (function == braces_.end())
            differOutside();
        else
            differInFunction(*function);
    }
    for (; written_ < hosts; ++written_) result_ += host_.textAt(written_);
    return result_;
}

// Takes a token that both sides have.
void Translator::BothSides::follow(std::size_t i) {
    for (; written_ < i; ++written_) result_ += host_.textAt(written_);
    if (host_.is(i, "{")) {
        const bool isFunction =
            host_.is(host_.endOfHead(i), ")") && !(!braces_.empty() && braces_.back().isFunction);
        braces_.push_back({h_, d_, result_.size(), host_.bodyAt(i), isFunction});
    }
    if (host_.is(i, "}") && !braces_.empty()) braces_.pop_back();
    const bool ends = host_.isAnyOf(i, {"{", "}", ";"});
    h_ = host_.after(h_);
    d_ = device_.after(d_);
    if (!ends) return;
    for (; written_ < h_; ++written_) result_ += host_.textAt(written_);
    declaration_ = {h_, d_, result_.size()};
}

void Translator::BothSides::differInFunction(const Start& function) {
    const std::size_t hostEnd = host_.skipBrackets(function.host);
    const std::size_t deviceEnd = device_.skipBrackets(function.device);
    const std::string ofHost = text(host_, function.host, hostEnd);
    const std::string ofDevice = text(device_, function.device, deviceEnd);
    const Body body = function.body;
    result_.resize(function.text);
    if (body.forDevice && body.forHost)
        result_ += "{ if (!__builtin_is_constant_evaluated() && ::cusim::inKernel()) " + ofDevice +
                   " else " + ofHost + "}";
    else
        result_ += body.forDevice ? ofDevice : ofHost;
    result_ += text(host_, hostEnd, hostEnd);
    const auto around = [&](const Start& brace) { return brace.host < function.host; };
    braces_.resize(static_cast<std::size_t>(std::count_if(braces_.begin(), braces_.end(), around)));
    h_ = written_ = hostEnd;
    d_ = deviceEnd;
    declaration_ = {h_, d_, result_.size()};
}

// Returns where declarations begin, from this one on, and where the last of them ends.
std::vector<std::size_t> Translator::BothSides::starts(const Translator& of, std::size_t from) {
    std::vector<std::size_t> all{from};
    while (all.size() < kMostApart && from < of.tokens_.size() && !of.is(from, "}"))
        all.push_back(from = of.endOfDeclaration(from));
    return all;
}

// Compares declarations up to where a body begins, since those of one function may differ.
bool Translator::BothSides::alike(std::size_t h, std::size_t d) const {
    while (host_.textAt(h) == device_.textAt(d)) {
        if (h >= host_.tokens_.size() || host_.isAnyOf(h, {"{", "}", ";"})) return true;
        h = host_.after(h);
        d = device_.after(d);
    }
    return false;
}

bool Translator::BothSides::has(const Translator& of, std::size_t from, std::size_t end,
                                std::initializer_list<std::string_view> words) {
    for (; from < end; from = of.after(from))
        if (of.isAnyOf(from, words)) return true;
    return false;
}

// Looks for the next declaration that both sides have. In front of it, functions for the device
// alone are the device's, and all else is the host's.
void Translator::BothSides::differOutside() {
    const auto ofHost = starts(host_, declaration_.host);
    const auto ofDevice = starts(device_, declaration_.device);
    std::size_t hosts = ofHost.size() - 1, devices = ofDevice.size() - 1;
    for (std::size_t apart = 1, found = 0; !found && apart <= hosts + devices; ++apart)
        for (std::size_t h = 0; h <= apart && !found; ++h)
            if (h < ofHost.size() && apart - h < ofDevice.size() &&
                alike(ofHost[h], ofDevice[apart - h])) {
                hosts = h;
                devices = apart - h;
                found = 1;
            }
    result_.resize(declaration_.text);
    for (std::size_t i = 0; i < hosts; ++i) {
        const std::size_t from = ofHost[i], end = ofHost[i + 1];
        const bool dropped =
            has(host_, from, end, {"__device__"}) && !has(host_, from, end, {"__host__"});
        if (!dropped) result_ += text(host_, from, end);
        for (std::size_t j = from; dropped && j < end; ++j)  // headers stand between tokens
            if (host_.blank(j)) result_ += host_.textAt(j);
    }
    for (std::size_t i = 0; i < devices; ++i) {
        const std::size_t from = ofDevice[i], end = ofDevice[i + 1];
        if (!has(device_, from, end, {"__host__"}) &&
            has(device_, from, end, {"__device__", "__global__", "__constant__"}))
            result_ += text(device_, from, end);
        else
            warnings_ += device_.fileOf(from) + ":" + std::to_string(device_.tokens_[from].line) +
                         ": warning: by __CUDA_ARCH__ this is for the device alone, and left out; "
                         "put the #if into a function\n";
    }
    h_ = written_ = ofHost[hosts];
    d_ = ofDevice[devices];
    result_ += text(host_, h_, h_);
    declaration_ = {h_, d_, result_.size()};
    if (h_ < host_.tokens_.size() && d_ < device_.tokens_.size()) follow(h_);
}

// Returns the index after the declaration that begins at i, or after its { where that opens a
// namespace.
std::size_t Translator::endOfDeclaration(std::size_t i) const {
    for (; i < tokens_.size() && !is(i, "}"); i = pass(i)) {
        if (is(i, ";")) return after(i);
        if (!is(i, "{")) continue;
        if (opensNamespace(i)) return after(i);
        if (is(endOfHead(i), ")")) return skipBrackets(i);
    }
    return i;
}

std::string translateBothSides(std::string_view forHost, std::string_view forDevice,
                               const std::string& name, std::string_view ownHeaders,
                               std::string& warnings) {
    const Translator host(tokenizePreprocessed(forHost, ownHeaders), name, true);
    const Translator device(tokenizePreprocessed(forDevice, ownHeaders), name, true);
    const std::string both = Translator::BothSides(host, device, warnings).run();
    return translatePreprocessed(both, name, ownHeaders);
}

}  // namespace translate
