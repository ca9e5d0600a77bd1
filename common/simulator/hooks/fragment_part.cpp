#include "simulator/hooks/fragment_part.h"

#include "simulator/engine/block_runner.h"
#include "simulator/memory/unset.h"

namespace cusim {

std::size_t sizeOf(ElementType type) {
    switch (type) {
        case ElementType::SignedChar:
        case ElementType::UnsignedChar:
            return 1;
        case ElementType::Half:
        case ElementType::Bfloat16:
            return 2;
        case ElementType::Double:
            return 8;
        default:
            return 4;
    }
}

std::uint64_t unsetElement(std::size_t size) {
    return size == 8   ? 0x7FFDC0DE7FE5C0DEu
           : size == 4 ? kUnsetLocalWord
           : size == 2 ? 0x7FE5u
                       : 0xA5u;
}

bool Part::isUnset() const {
    if (*own_.isSet) return false;
    const std::uint64_t unset = unsetElement(size_);
    int count = 0;
    for (int i = 0; i < own_.count; ++i) count += std::memcmp(at(i), &unset, size_) == 0;
    return size_ == 1 ? count == own_.count : count > 0;
}

const WarpValues& meet(const char* function, std::uint64_t given, const Where& at) {
    if (!cusimWorker)
        exchange(kAllLanes, given, at);  // ends host code that calls it, with a report
    const char here = 0;
    cusimWorker->noteStack(&here, 4096);
    const WarpValues& all = cusimWorker->runner->exchange(kAllLanes, given, at, false, true);
    if (all.active == kAllLanes) return all;
    const unsigned lanes = static_cast<unsigned>(__builtin_popcount(all.active));
    cusimWorker->runner->fail(
        {"barrier-divergence",
         joined(function, " is a function of a whole warp, but only ", counted(lanes, "lane"),
                lanes == 1 ? " reaches it" : " reach it"),
         at,
         "Let all 32 lanes of the warp reach the call: launch blocks with a multiple of 32 "
         "threads, and let no thread return before it."});
}

void refuseUnset(const Fragment& fragment, const char* function, const char* name,
                 const Where& at) {
    if (!Part(fragment).isUnset()) return;
    Finding finding("unset-read", joined(function, " reads ", name, " before it is set"), at,
                    "A fragment has no value at first. Call fill_fragment(), as with 0.0f for a "
                    "sum, or load_matrix_sync() before this line, or set all its elements x[i].",
                    {"the warp reads an element of the fragment that nothing has set"});
    finding.access = joined("reads unset ", fragment.role == Role::A   ? "matrix_a"
                                            : fragment.role == Role::B ? "matrix_b"
                                                                       : "accumulator");
    cusimWorker->runner->fail(finding);
}

}  // namespace cusim
