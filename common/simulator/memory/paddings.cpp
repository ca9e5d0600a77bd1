#include "simulator/memory/paddings.h"

#include <algorithm>
#include <iterator>
#include <mutex>

namespace cusim {

std::size_t Paddings::note(std::size_t offset, std::size_t elementBytes, detail::Members members) {
    const auto end = [&] { return all_ + count_.load(); };
    const auto isSame = [=](const Elements& noted) { return noted.isOf(offset, members); };
    if (std::any_of(all_, end(),
                    [&](const Elements& noted) { return isSame(noted) && noted.offset <= offset; }))
        return offset;
    static std::mutex mutex;
    const std::lock_guard<std::mutex> lock(mutex);
    Elements* const same = std::find_if(all_, end(), isSame);
    if (same == std::end(all_)) return offset;
    if (same != end()) {
        const std::size_t before = same->offset;
        same->offset = std::min(before, offset);
        return std::max(before, offset);
    }
    same->offset = offset;
    same->bytes = elementBytes;
    same->members = members;
    same->isMember = members();
    ++count_;
    return SIZE_MAX;
}

bool Paddings::has(std::size_t offset) const {
    bool isPadding = false;
    std::size_t nearest = 0;
    for (int i = 0; i < count_.load(); ++i) {
        const Elements& noted = all_[i];
        const std::size_t start = noted.offset;
        if (start > offset || start < nearest) continue;
        if (start > nearest) isPadding = false;
        isPadding |= noted.isMember[(offset - start) % noted.bytes] == 0;
        nearest = start;
    }
    return isPadding;
}

}  // namespace cusim
