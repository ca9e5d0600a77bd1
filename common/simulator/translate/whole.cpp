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

}  // namespace translate
