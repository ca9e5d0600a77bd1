#include "simulator/observers/async_copies.h"

#include <algorithm>

namespace cusim {

void AsyncCopies::beginBlock(std::size_t threads, std::size_t threadLocalBytes) {
    threadLocalBytes_ = threadLocalBytes;
    if (threads_.empty()) return;
    // Copies that nobody has waited for end with the block.
    if (underWay_ > 0) std::fill(words_.begin(), words_.end(), Word{});
    underWay_ = 0;
    threads_.assign(threads, {});
    ofBarriers_.clear();
}

AsyncCopies::Thread& AsyncCopies::of(std::uint16_t thread) {
    if (threads_.size() <= thread) threads_.resize(std::size_t{thread} + 1);
    return threads_[thread];
}

void AsyncCopies::start(std::uint16_t thread, AsyncCopy copy) {
    if (words_.empty()) words_.resize(threadLocalBytes_ / 4 + 1);
    Thread& own = of(thread);
    copy.thread = thread;
    copy.group = own.group;
    for (std::size_t word = copy.target / 4; word < (copy.target + copy.bytes) / 4; ++word)
        words_[word] = {copy.instruction, static_cast<std::uint16_t>(words_[word].copies + 1),
                        thread};
    if (copy.barrier)
        ofBarriers_.push_back(copy);
    else
        own.copies.push_back(copy);
    ++underWay_;
}

void AsyncCopies::land(const AsyncCopy& copy) {
    for (std::size_t word = copy.target / 4; word < (copy.target + copy.bytes) / 4; ++word)
        --words_[word].copies;
    --underWay_;
}

std::vector<AsyncCopy> AsyncCopies::finishAt(const void* barrier) {
    const auto rest =
        std::stable_partition(ofBarriers_.begin(), ofBarriers_.end(),
                              [&](const AsyncCopy& copy) { return copy.barrier != barrier; });
    std::vector<AsyncCopy> finished(rest, ofBarriers_.end());
    ofBarriers_.erase(rest, ofBarriers_.end());
    for (const AsyncCopy& copy : finished) land(copy);
    return finished;
}

std::vector<AsyncCopy> AsyncCopies::finish(std::uint16_t thread, std::size_t prior) {
    std::vector<AsyncCopy> finished;
    if (threads_.size() <= thread) return finished;
    Thread& own = threads_[thread];
    while (!own.copies.empty() && own.copies.front().group + prior < own.group) {
        land(own.copies.front());
        finished.push_back(own.copies.front());
        own.copies.pop_front();
    }
    return finished;
}

bool AsyncCopies::onAccess(std::size_t offset, std::size_t bytes, std::uint32_t array,
                           std::size_t arrayStart, Instruction instruction, const Actor& actor) {
    const std::size_t end = (offset + bytes + 3) / 4;
    for (std::size_t word = offset / 4; word < end; ++word) {
        if (words_[word].copies == 0) continue;
        const EarlyUse use{array, words_[word].copy, instruction,
                           words_[word].thread == actor.thread};
        const EarlyUseExample one{1, actor.block, std::max(word * 4, offset) - arrayStart,
                                  actor.thread, words_[word].thread};
        const auto [found, isNew] = found_.emplace(use, one);
        if (isNew) return true;
        const auto place = [](const EarlyUseExample& e) {
            return std::tie(e.block, e.offset, e.thread);
        };
        const std::uint64_t count = found->second.count + 1;
        if (place(one) < place(found->second)) found->second = one;
        found->second.count = count;
        return true;
    }
    return false;
}

}  // namespace cusim
