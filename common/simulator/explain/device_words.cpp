#include "simulator/explain/device_words.h"

#include "simulator/findings/source_lines.h"
#include "simulator/findings/statements.h"
#include "text/joined.h"

namespace cusim {
namespace {

using words::joined;

struct Found {
    int line = 0;
    std::string text = {};
};

class Words : FunctionStatements {
  public:
    using FunctionStatements::FunctionStatements;

    Found weakBarrier(int upper, int lower) const {
        Found found;
        for (std::size_t i = first_; i < end_; ++i) {
            if (tokens_[i].line <= upper || tokens_[i].line >= lower) continue;
            if (is(i, "__syncthreads")) return {};
            if (isAnyOf(i, {"__syncwarp", "__threadfence_block", "__threadfence"}))
                found = {tokens_[i].line, std::string(tokens_[i].text)};
        }
        return found;
    }

    Found byGrid(int line) const {
        for (std::size_t i = first_; i + 6 < end_ && tokens_[i].line <= line; ++i)
            if (is(i + 1, ".") && is(i + 3, "*") && is(i + 5, ".") &&
                ((is(i, "blockIdx") && is(i + 4, "gridDim")) ||
                 (is(i, "gridDim") && is(i + 4, "blockIdx"))) &&
                tokens_[i + 2].text == tokens_[i + 6].text)
                return {tokens_[i].line, std::string(tokens_[i + 2].text)};
        return {};
    }

    // Finds a pointer that a line uses and that is set to an offset in bytes from an array of
    // elements.
    Found offsetInBytes(std::string_view array, int line) const {
        Found found;
        for (std::size_t i = first_; i < end_ && tokens_[i].line <= line; ++i) {
            const std::size_t begin = i;
            while (is(begin, "extern") && !is(i, ";"))
                if (isAnyOf(++i, {"char", "byte", "uint8_t"})) return {};
            if (tokens_[i].line == line && isWord(i) && tokens_[i].text == found.text) return found;
            if (!is(i, "*") || !isWord(i + 1) || !is(i + 2, "=") || tokens_[i + 3].text != array)
                continue;
            for (std::size_t k = i + 4; !is(k, ";"); ++k)
                if (is(k, "sizeof") && tokens_[k].line < line)
                    found = {tokens_[k].line, std::string(tokens_[i + 1].text)};
        }
        return {};
    }

    bool names(std::string_view name, std::string_view member) const {
        for (std::size_t i = first_; i + 2 < end_; ++i)
            if (is(i, name) && is(i + 1, ".") && is(i + 2, member)) return true;
        return false;
    }
};

}  // namespace

std::string ifWeakBarrier(const std::string& file, int upper, int lower) {
    const std::string text = sourceText(file);
    const Found weak = Words(text, upper).weakBarrier(upper, lower);
    if (weak.line == 0) return "";
    return joined(
        "The ", weak.text, "() in line ", weak.line,
        weak.text == "__syncwarp"
            ? " makes only the threads of one warp wait for each other, but these are in "
              "several warps"
            : " orders the accesses of one thread, but makes no thread wait",
        ": write __syncthreads() there, outside of any branch. Or is the index wrong in one "
        "of the two lines?");
}

std::string ifByGrid(const std::string& file, int line) {
    const std::string text = sourceText(file);
    const Found found = Words(text, line).byGrid(line);
    if (found.line == 0) return "";
    return joined("Line ", found.line, " multiplies blockIdx.", found.text, " by gridDim.",
                  found.text, ", the number of blocks. The threads of a block are blockDim.",
                  found.text, ". ");
}

std::string ifOffsetInBytes(const std::string& file, int line, const std::string& array) {
    const std::string text = sourceText(file);
    const Found found = Words(text, line).offsetInBytes(array, line);
    if (found.line == 0) return "";
    return joined("Line ", found.line, " adds bytes (sizeof) to ", array, " to set ", found.text,
                  ". Pointer arithmetic counts elements: leave out the sizeof.");
}

std::string ifFlatBlock(const std::string& file, int line, const dim3& block) {
    const std::string text = sourceText(file);
    if (block.y > 1 || block.x == 1 || !Words(text, line).names("threadIdx", "y")) return "";
    unsigned side = 1;
    while (side * side < block.x) ++side;
    return joined("The kernel uses threadIdx.y, which is always 0 here: the block has ", block.x,
                  " threads in x and one in y. Launch blocks of two dimensions",
                  side * side == block.x ? joined(", such as dim3(", side, ", ", side, ").") : ".");
}

std::string remedyOfMisaligned(const Place& at, std::size_t bytes) {
    if (sourceLine(at.file, at.line).find("memcpy_async") != std::string::npos)
        return joined("Both places of such a copy must begin at a multiple of ", bytes,
                      ". If each thread copies one float, copy sizeof(float).");
    return "A float4 must start at a multiple of four floats (a float2 of two): check the index "
           "before the cast.";
}

}  // namespace cusim
