#include "simulator/memory/paddings.h"

#include <algorithm>
#include <mutex>

namespace cusim {

template <class Test>
const Paddings::Line* Paddings::find(const Test& test) const {
    const Line* one = newest_.load();
    while (one && !test(*one)) one = one->before;
    return one;
}

std::size_t Paddings::note(std::size_t offset, std::size_t elementBytes, detail::Members members) {
    const auto isSame = [=](const Line& noted) { return noted.holds(offset, members); };
    const Line* const known = find(isSame);
    if (known && known->first <= offset) return offset;
    static std::mutex mutex;
    const std::lock_guard<std::mutex> lock(mutex);
    const auto same = std::find_if(all_.begin(), all_.end(), isSame);
    if (same != all_.end()) {
        const std::size_t before = same->first;
        same->first = std::min(before, offset);
        return std::max(before, offset);
    }
    newest_ = &all_.emplace_back(offset, elementBytes, members, newest_.load());
    return SIZE_MAX;
}

bool Paddings::has(std::size_t offset) const {
    std::size_t nearest = 0;
    for (const Line* one = newest_.load(); one; one = one->before)
        if (one->first <= offset) nearest = std::max<std::size_t>(nearest, one->first);
    return find([&](const Line& one) {
               return one.isPadding(offset) && find([&](const Line& last) {
                          return last.first == nearest && last.members == one.members;
                      });
           }) != nullptr;
}

void Paddings::forget() {
    newest_ = nullptr;
    all_.clear();
}

}  // namespace cusim
