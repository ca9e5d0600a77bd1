#include "simulator/memory/paddings.h"

#include <algorithm>
#include <mutex>

namespace cusim {

void Paddings::note(std::size_t offset, std::size_t elementBytes, detail::Members members,
                    Excuse excuse) {
    const std::size_t alone = excuse == Excuse::Alone ? offset : SIZE_MAX;
    {
        const std::shared_lock<std::shared_mutex> lock(mutex_);
        const auto type = byType_.find(members);
        if (type != byType_.end() && type->second.alone <= alone &&
            type->second.begin.count(offset) > 0)
            return;
    }
    const std::lock_guard<std::shared_mutex> lock(mutex_);
    Elements& elements = byType_[members];
    elements.bytes = elementBytes;
    elements.isMember = members();
    elements.begin.insert(offset);
    elements.alone = std::min(elements.alone, alone);
}

Excuse Paddings::at(std::size_t offset) const {
    const std::shared_lock<std::shared_mutex> lock(mutex_);
    Excuse most = Excuse::None;
    for (const auto& [members, elements] : byType_) {
        const auto next = elements.begin.upper_bound(offset);
        if (next == elements.begin.begin()) continue;
        const std::size_t start = *std::prev(next);
        if (elements.isMember[(offset - start) % elements.bytes] == 0)
            most = std::max(most, offset < elements.alone ? Excuse::WithMembers : Excuse::Alone);
    }
    return most;
}

bool Paddings::empty() const {
    const std::shared_lock<std::shared_mutex> lock(mutex_);
    return byType_.empty();
}

void Paddings::forget() {
    const std::lock_guard<std::shared_mutex> lock(mutex_);
    byType_.clear();
}

}  // namespace cusim
