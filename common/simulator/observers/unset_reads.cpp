#include "simulator/observers/unset_reads.h"

#include <algorithm>

#include "simulator/memory/device_memory.h"
#include "simulator/memory/element_names.h"

namespace cusim {

void UnsetReads::begin(std::size_t threadLocalBytes) {
    if (shared_.size() < threadLocalBytes) shared_.assign(threadLocalBytes, 0);
    found_.clear();
}

void UnsetReads::beginBlock() {
    // A new mark makes the marks of earlier blocks void. After the last one, all marks are cleared.
    if (mark_ < kLastMark) {
        mark_ += 2;
        return;
    }
    std::fill(shared_.begin(), shared_.end(), std::uint8_t{0});
    mark_ = 1;
}

// Marks relative to the current one: 0 for written, 1 for updated, anything else for unset.
std::vector<std::uint8_t> UnsetReads::marksOf(std::size_t offset, std::size_t bytes) const {
    std::vector<std::uint8_t> marks(bytes);
    for (std::size_t i = 0; i < bytes; ++i)
        marks[i] = static_cast<std::uint8_t>(shared_[offset + i] - mark_);
    return marks;
}

void UnsetReads::restore(std::size_t offset, const std::vector<std::uint8_t>& marks) {
    for (std::size_t i = 0; i < marks.size(); ++i)
        shared_[offset + i] =
            marks[i] > 1 ? std::uint8_t{0} : static_cast<std::uint8_t>(marks[i] + mark_);
}

void UnsetReads::note(std::uint8_t* marks, std::size_t bytes, std::uint8_t mark,
                      const UnsetRead& read, std::size_t offset, const Actor& actor) {
    // A read of padding alone is not a read of these bytes.
    const auto isPadding = [&](std::size_t i) {
        return read.shared ? isPaddingOfShared(read.array, offset + i)
                           : DeviceMemory::instance().isPadding(read.array, offset + i);
    };
    std::size_t members = 0;
    for (std::size_t i = 0; i < bytes; ++i) members += !isPadding(i);
    for (std::size_t i = 0; members > 0 && i < bytes; ++i)
        if (marks[i] != mark && isPadding(i)) marks[i] = mark;
    const std::uint8_t* const unset = std::find_if(
        marks, marks + bytes, [mark](std::uint8_t m) { return m != mark && m != updated(mark); });
    if (kindOf(read.instruction) == AccessKind::Atomic)
        std::replace_if(
            marks, marks + bytes, [mark](std::uint8_t m) { return m != mark; }, updated(mark));
    else if (unset == marks + bytes)
        return;
    const std::size_t first = static_cast<std::size_t>(unset - marks) % bytes;
    add(found_, {{read, {1, actor.block, actor.thread, offset + first}}});
}

void UnsetReads::add(std::map<UnsetRead, UnsetExample>& sum,
                     const std::map<UnsetRead, UnsetExample>& more) {
    for (const auto& [read, example] : more) {
        const auto [found, isNew] = sum.emplace(read, example);
        if (isNew) continue;
        const std::uint64_t count = found->second.count + example.count;
        if (example.before(found->second)) found->second = example;
        found->second.count = count;
    }
}

}  // namespace cusim
