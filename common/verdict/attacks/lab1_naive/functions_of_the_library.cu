// Attack: to bring other versions of inline functions that the tests use; they stay its own.
// Remark: adds to what belongs
#include <string>
#include <vector>

namespace std {
template <>
vector<float>::size_type vector<float>::size() const noexcept {
    return 0;
}
template <>
bool vector<float>::empty() const noexcept {
    return true;
}
}  // namespace std

#include "unsolved.h"

struct AtStart {
    std::vector<float> own;
    AtStart() { printf("%zu", own.size()); }
} atStart;
