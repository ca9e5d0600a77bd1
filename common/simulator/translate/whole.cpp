// Handles what only a text tells in which a preprocessor has expanded all macros and headers.
#include "simulator/translate/translator.h"

namespace translate {

// Tests whether a brace between the outermost one, at `body`, and i begins a function for the
// device.
bool Translator::isDeviceCode(std::size_t i, std::size_t body) const {
    int closed = 0;
    for (; i > body; i = before(i)) {
        if (is(i, "}")) ++closed;
        if (!is(i, "{")) continue;
        if (closed > 0)
            --closed;
        else if (bodyAt(i).forDevice)
            return true;
    }
    return bodyAt(body).forDevice;
}

// Refuses texture<float, 2> name; which CUDA itself has not had since its version 12.
void Translator::refuseTextureReference(std::size_t word) const {
    if (!is(after(word), "<") || !isName(after(closingAngle(after(word))))) return;
    refuse(word, "a texture reference is not supported on the simulated device",
           "read the array through a pointer");
}

// Turns inline PTX into a call that is refused where the compiler makes code of it, so that a
// header may hold some that nothing uses. Leaves the host's assembly as it is.
void Translator::assembly(std::size_t word, std::size_t body) {
    if (!isDeviceCode(word, body)) return;
    std::size_t open = after(word);
    while (isWord(open)) open = after(open);
    if (!is(open, "(")) return;
    const std::size_t end = skipBrackets(open);
    for (std::size_t i = word; i < end; ++i)
        if (tokens_[i].kind != Token::Blank) out_[i].clear();
    out_[word] = "::cusim::inlineAssembly()";
}

// Returns what lets accesses of 16 bytes be aligned to 8. g++ announces a structure of two doubles,
// which a device loads one by one, as it announces a float4; so a file that names no type of such
// an alignment has none of these.
std::string Translator::alignmentOfSixteenBytes() const {
    static const std::set<std::string_view> kAligned{
        "int4",      "uint4",      "float4",  "long2",           "ulong2",
        "longlong2", "ulonglong2", "double2", "long4",           "ulong4",
        "longlong4", "ulonglong4", "double4", "cuDoubleComplex", "__int128",
        "alignas",   "__align__",  "aligned", "__aligned__"};
    if (!whole_) return "";
    bool hasDeviceCode = false;
    for (const Token& token : tokens_) {
        if (token.kind != Token::Word) continue;
        if (kAligned.count(token.text)) return "";
        hasDeviceCode |= token.text == "__global__" || token.text == "__device__";
    }
    if (!hasDeviceCode) return "";
    return "\n__asm__(\"\\t.set __tsan_read16, __tsan_unaligned_read16\\n\"\n"
           "        \"\\t.set __tsan_write16, __tsan_unaligned_write16\");\n";
}

}  // namespace translate
