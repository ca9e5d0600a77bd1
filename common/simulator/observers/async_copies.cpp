#include "simulator/observers/async_copies.h"

#include <algorithm>

namespace cusim {

void AsyncCopies::beginBlock(std::size_t threads, std::size_t threadLocalBytes) {
    threadLocalBytes_ = threadLocalBytes;
    if (block_.threads.empty()) return;
    // Copies for which no thread has waited end with the block.
    if (any()) std::fill(block_.words.begin(), block_.words.end(), Word{});
    block_.underWay = 0;
    block_.threads.assign(threads, {});
    block_.ofBarriers.clear();
}

AsyncCopies::Thread& AsyncCopies::of(std::uint16_t thread) {
    if (block_.threads.size() <= thread) block_.threads.resize(std::size_t{thread} + 1);
    return block_.threads[thread];
}

void AsyncCopies::start(std::uint16_t thread, AsyncCopy copy) {
    if (block_.words.empty()) block_.words.resize(threadLocalBytes_ / 4 + 1);
    Thread& own = of(thread);
    copy.thread = thread;
    copy.group = own.group;
    copy.number = own.begun++;
    copy.loads = own.loads;
    for (std::size_t at = copy.target / 4; at < (copy.target + copy.bytes) / 4; ++at) {
        Word& word = block_.words[at];
        word = {copy.instruction, static_cast<std::uint16_t>(word.copies + 1), thread};
    }
    if (copy.barrier)
        block_.ofBarriers.push_back(copy);
    else
        own.copies.push_back(copy);
    ++block_.underWay;
    count_.loadedBytes += copy.bytes - copy.zeros;
}

void AsyncCopies::land(const AsyncCopy& copy) {
    for (std::size_t word = copy.target / 4; word < (copy.target + copy.bytes) / 4; ++word)
        --block_.words[word].copies;
    --block_.underWay;
    if (block_.threads[copy.thread].loads >= copy.loads + AsyncReport::kOverlaps)
        count_.overlappedBytes += copy.bytes - copy.zeros;
}

std::vector<AsyncCopy> AsyncCopies::finishAt(const void* barrier) {
    std::vector<AsyncCopy>& all = block_.ofBarriers;
    const auto rest = std::stable_partition(
        all.begin(), all.end(), [&](const AsyncCopy& copy) { return copy.barrier != barrier; });
    std::vector<AsyncCopy> finished(rest, all.end());
    all.erase(rest, all.end());
    for (const AsyncCopy& copy : finished) land(copy);
    return finished;
}

std::vector<AsyncCopy> AsyncCopies::finish(std::uint16_t thread, std::size_t prior) {
    std::vector<AsyncCopy> finished;
    if (block_.threads.size() <= thread) return finished;
    Thread& own = block_.threads[thread];
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
        if (block_.words[word].copies == 0) continue;
        const EarlyUse use{array, block_.words[word].copy, instruction,
                           block_.words[word].thread == actor.thread};
        const EarlyUseExample one{1, actor.block, std::max(word * 4, offset) - arrayStart,
                                  actor.thread, block_.words[word].thread};
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
