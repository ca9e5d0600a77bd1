#include "simulator/translate/token.h"

#include <cctype>
#include <set>

namespace translate {
namespace {

bool startsWord(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool inWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

class Scanner {
  public:
    explicit Scanner(std::string_view text) : text_(text) {}
    Scanner(std::string_view text, std::string_view ownHeaders)
        : text_(text), ownHeaders_(ownHeaders), preprocessed_(true) {}

    std::vector<Token> run() {
        while (at_ < text_.size()) next();
        return std::move(tokens_);
    }

  private:
    char peek(std::size_t ahead = 0) const {
        return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
    }

    void emit(Token::Kind kind, std::size_t end) {
        const std::string_view piece = text_.substr(at_, end - at_);
        tokens_.push_back({kind, piece, line_, file_});
        for (const char c : piece) {
            if (c == '\n') {
                ++line_;
                lineStart_ = true;
            } else if (!std::isspace(static_cast<unsigned char>(c)) && kind != Token::Blank) {
                lineStart_ = false;
            }
        }
        at_ = end;
    }

    // Returns the position after the character at `at`, and after a line end after a backslash
    // there.
    std::size_t past(std::size_t at) const {
        if (text_[at] != '\\') return at + 1;
        const bool windows = text_.substr(at + 1, 2) == "\r\n";
        return std::min(at + (windows ? 3 : 2), text_.size());
    }

    std::size_t endOfComment(std::size_t from) const {
        if (text_[from + 1] == '/') {
            std::size_t end = from;
            while (end < text_.size() && text_[end] != '\n') end = past(end);
            return end;
        }
        const std::size_t close = text_.find("*/", from + 2);
        return close == std::string_view::npos ? text_.size() : close + 2;
    }

    std::size_t endOfQuoted(std::size_t quote) const {
        std::size_t end = quote + 1;
        while (end < text_.size() && text_[end] != text_[quote] && text_[end] != '\n')
            end = past(end);
        // Nothing closes an apostrophe of a text in #if 0 ... #endif, so a literal ends with its
        // line.
        return end < text_.size() && text_[end] != '\n' ? end + 1 : end;
    }

    // R"tag( ... )tag"
    std::size_t endOfRaw(std::size_t quote) const {
        const std::size_t open = text_.find('(', quote);
        if (open == std::string_view::npos) return text_.size();
        const std::string close =
            ")" + std::string(text_.substr(quote + 1, open - quote - 1)) + "\"";
        const std::size_t end = text_.find(close, open);
        return end == std::string_view::npos ? text_.size() : end + close.size();
    }

    std::size_t endOfDirective() const {
        std::size_t end = at_;
        while (end < text_.size() && text_[end] != '\n') {
            const char next = end + 1 < text_.size() ? text_[end + 1] : '\0';
            if (text_[end] == '/' && (next == '*' || next == '/'))
                end = endOfComment(end);
            else if (text_[end] == '"')
                end = endOfQuoted(end);
            else
                end = past(end);
        }
        return end;
    }

    // A line such as # 12 "file.h" 1 3: the line and the file of the next one, and flags. Flag
    // 3 stands for a header of the system (GNU cpp, "Preprocessor Output").
    struct Marker {
        int line = 0;
        std::string_view file;
        bool skipped = false;
    };
    bool isMarker(std::size_t at) const {
        return text_.substr(at, 2) == "# " && at + 2 < text_.size() &&
               std::isdigit(static_cast<unsigned char>(text_[at + 2]));
    }
    Marker markerAt(std::size_t at) {
        Marker marker;
        for (at += 2; std::isdigit(static_cast<unsigned char>(text_[at])); ++at)
            marker.line = 10 * marker.line + (text_[at] - '0');
        const std::size_t end = std::min(text_.find('\n', at), text_.size());
        const std::size_t open = std::min(text_.find('"', at), end);
        const std::size_t close = std::max(text_.substr(0, end).rfind('"'), open);
        if (open == end || close == open) return marker;
        marker.file = text_.substr(open + 1, close - open - 1);
        const std::string_view flags = text_.substr(close + 1, end - close - 1);
        // A macro's tokens bear the mark of the file that defines it, also in the system's headers.
        if (flags.substr(0, 4) == " 1 3") ofSystem_.insert(marker.file);
        marker.skipped = flags.find(" 3") != std::string_view::npos ||
                         marker.file.substr(0, ownHeaders_.size()) == ownHeaders_ ||
                         ofSystem_.count(marker.file) > 0;
        return marker;
    }
    // Passes markers, and what stands after those of headers that are left as they are.
    void passMarkers() {
        std::size_t end = at_;
        Marker marker;
        for (bool more = true; more;) {
            if (isMarker(end)) marker = markerAt(end);
            end = std::min(text_.find('\n', end), text_.size() - 1) + 1;
            more = end < text_.size() && (marker.skipped || isMarker(end));
        }
        emit(Token::Blank, end);
        line_ = marker.line;
        file_ = marker.file;
        lineStart_ = true;
    }

    void next() {
        const char c = peek();
        if (preprocessed_ && lineStart_ && isMarker(at_)) return passMarkers();
        if (std::isspace(static_cast<unsigned char>(c))) return emit(Token::Blank, at_ + 1);
        if (c == '/' && (peek(1) == '/' || peek(1) == '*'))
            return emit(Token::Blank, endOfComment(at_));
        if (c == '#' && lineStart_) return emit(Token::Directive, endOfDirective());
        if (c == '"' || c == '\'') return emit(Token::Literal, endOfQuoted(at_));
        if (startsWord(c)) {
            std::size_t end = at_;
            while (end < text_.size() && inWord(text_[end])) ++end;
            const std::string_view word = text_.substr(at_, end - at_);
            const bool quote = end < text_.size() && text_[end] == '"';
            if (quote && word.back() == 'R' && word.size() <= 3)
                return emit(Token::Literal, endOfRaw(end));
            return emit(Token::Word, end);
        }
        if (std::isdigit(static_cast<unsigned char>(c))) {
            std::size_t end = at_;
            // Digit separators are quotes that start no literal.
            while (end < text_.size() &&
                   (inWord(text_[end]) || text_[end] == '.' ||
                    (text_[end] == '\'' && end + 1 < text_.size() && inWord(text_[end + 1]))))
                ++end;
            return emit(Token::Number, end);
        }
        if (text_.substr(at_, 3) == "<<<" || text_.substr(at_, 3) == ">>>")
            return emit(Token::Symbol, at_ + 3);
        if (text_.substr(at_, 2) == "::" || text_.substr(at_, 2) == "->")
            return emit(Token::Symbol, at_ + 2);
        emit(Token::Symbol, at_ + 1);
    }

    std::string_view text_, ownHeaders_, file_;
    bool preprocessed_ = false;
    std::set<std::string_view> ofSystem_;
    std::size_t at_ = 0;
    int line_ = 1;
    bool lineStart_ = true;
    std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokenize(std::string_view text) { return Scanner(text).run(); }

std::vector<Token> tokenizePreprocessed(std::string_view text, std::string_view ownHeaders) {
    return Scanner(text, ownHeaders).run();
}

}  // namespace translate
