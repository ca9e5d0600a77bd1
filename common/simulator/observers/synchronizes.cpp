// The part of HappensBefore that barriers, fences and atomics change: what each thread of a launch
// knows of the others.
#include <algorithm>

#include "simulator/observers/happens_before.h"

namespace cusim {

HappensBefore::Block& HappensBefore::blockOf(std::uint32_t block) {
    std::unique_ptr<Block>& found = blocks_[block];
    if (!found) found = std::make_unique<Block>();
    return *found;
}

HappensBefore::Thread& HappensBefore::threadOf(std::uint32_t block, std::uint16_t thread) {
    std::vector<Thread>& threads = blockOf(block).threads;
    if (threads.size() <= thread) threads.resize(thread + std::size_t{1});
    return threads[thread];
}

const HappensBefore::Known* HappensBefore::add(Known known) {
    known.from.erase(std::remove(known.from.begin(), known.from.end(), nullptr), known.from.end());
    known.number = all_.size();
    all_.push_back(std::move(known));
    return &all_.back();
}

void HappensBefore::learn(Thread& thread, Level level, const Known* what, bool ofBlock) {
    if (!what || thread.last[level][ofBlock] == what) return;
    thread.last[level][ofBlock] = what;
    Known both;
    both.from = {what, thread.known[level]};
    thread.known[level] = thread.known[level] ? add(std::move(both)) : what;
}

bool HappensBefore::includes(const Known& one, const Record& what) {
    if (one.block != what.block) return false;
    const bool copied = isCopier(what.thread);
    if (what.epoch < one.epoch && !copied) return true;
    return std::any_of(one.threads.begin(), one.threads.end(), [&](const auto& of) {
        return of.first == what.thread &&
               (copied ? what.time == of.second : what.epoch <= one.epoch && what.time < of.second);
    });
}

// Returns the answers to a search, which are kept if they are many.
HappensBefore::Answers& HappensBefore::answersOn(const Record& what) {
    constexpr std::size_t kFew = 64, kMost = std::size_t{256} << 20;
    if (all_.size() - what.made <= kFew) {
        few_.first = what.made;
        few_.of.assign(all_.size() - what.made, Open);
        return few_;
    }
    if (answered_ > kMost) answers_.clear(), answered_ = 0;
    Answers& answers = answers_[{what.block, what.thread, what.epoch, what.time}];
    if (answers.of.empty()) answers.first = what.made;
    const std::size_t before = answers.of.size(), earlier = std::min(answers.first, what.made);
    answers.of.insert(answers.of.begin(), answers.first - earlier, Open);
    answers.first = earlier;
    answers.of.resize(all_.size() - earlier, Open);
    answered_ += answers.of.size() - before;
    return answers;
}

// Searches `known` for an access. A Known that was made before the access cannot include it.
bool HappensBefore::covers(const Known* known, const Record& what) {
    if (!known || known->number < what.made) return false;
    if (includes(*known, what)) return true;
    Answers& answers = answersOn(what);
    const auto answer = [&](const Known* one) -> Answer& {
        return answers.of[one->number - answers.first];
    };
    if (answer(known) != Open) return answer(known) == Yes;
    open_.assign(1, {known, 0});
    while (!open_.empty()) {
        auto& [one, next] = open_.back();
        if (next == one->from.size()) {
            answer(one) = No;
            open_.pop_back();
            continue;
        }
        const Known* const from = one->from[next++];
        if (from->number < what.made || answer(from) == No) continue;
        open_.emplace_back(from, 0);
        if (answer(from) == Yes || includes(*from, what)) break;
    }
    for (const auto& [one, next] : open_) answer(one) = Yes;
    return !open_.empty();
}

// Returns the first level at which an access of another thread is known to have happened, or
// kLevels.
int HappensBefore::levelOf(const Record& before, const SeenAccess& now) {
    const Block& block = blockOf(now.actor.block);
    if (before.block == now.actor.block && before.epoch < block.epoch && !isCopier(before.thread))
        return Formal;
    const Thread& thread = threadOf(now.actor.block, now.actor.thread);
    if (covers(thread.known[Formal], before) || covers(block.known, before)) return Formal;
    return covers(thread.known[WithoutAcquire], before) ? WithoutAcquire : kLevels;
}

// Tests for a plain store to a word that an atomic updates. If the atomic has read what another
// atomic left after the store, that orders later accesses, but not the atomic: it might have come
// first.
bool HappensBefore::isSet(const Record& before, const Record& now) {
    return before.writes && !before.strong && now.atomic;
}

// Returns what the thread knows, with all that it has done itself so far.
const HappensBefore::Known* HappensBefore::ownKnown(std::uint32_t block, std::uint16_t thread) {
    const Block& b = blockOf(block);
    const Thread& t = threadOf(block, thread);
    Known own;
    own.block = block;
    own.epoch = b.epoch;
    own.threads = {{thread, t.time + 1}};
    own.from = {t.known[Formal], b.known};
    return add(std::move(own));
}

void HappensBefore::fence(std::uint32_t block, std::uint16_t thread, Scope scope) {
    Thread& t = threadOf(block, thread);
    // From here on the thread knows what its atomics have read before.
    learn(t, Formal, t.known[WithoutAcquire]);
    t.known[WithoutAcquire] = nullptr;
    for (const Known*& last : t.last[WithoutAcquire]) last = nullptr;
    const Known* const own = ownKnown(block, thread);
    t.released[static_cast<int>(Scope::Block)] = own;
    if (scope == Scope::Device) t.released[static_cast<int>(Scope::Device)] = own;
    ++t.time;
}

void HappensBefore::beginCopy(std::uint32_t block, std::uint16_t thread, std::uint32_t number) {
    const Known* const own = ownKnown(block, thread);
    ++threadOf(block, thread).time;
    Thread& copier = threadOf(block, copierOf(thread));
    copier.time = number;
    copier.known[Formal] = own;
    copier.known[WithoutAcquire] = threadOf(block, thread).known[WithoutAcquire];
}

void HappensBefore::waitForCopy(std::uint32_t block, std::uint16_t thread, std::uint16_t copying,
                                std::uint32_t number) {
    Known copied;
    copied.block = block;
    copied.threads = {{copierOf(copying), number}};
    Thread& t = threadOf(block, thread);
    copied.from = {t.known[Formal]};
    t.known[Formal] = add(std::move(copied));
}

void HappensBefore::meet(std::uint32_t block, bool) {
    flush();
    Block& b = blockOf(block);
    Known all;
    all.from = {b.known};
    for (const Thread& thread : b.threads)
        // A barrier orders what an atomic has read before it, as a fence does.
        for (const Known* const known : thread.known)
            if (known) all.from.push_back(known);
    if (all.from.size() > 1) b.known = add(std::move(all));
    // After fences of several threads before a barrier, one of them hands over for all.
    for (int scope = 0; scope < 2; ++scope) {
        Known released;
        released.block = block;
        released.epoch = b.epoch;
        for (const Thread& thread : b.threads) {
            const Known* const own = thread.released[scope];
            if (!own) continue;
            released.threads.insert(released.threads.end(), own->threads.begin(),
                                    own->threads.end());
            released.from.insert(released.from.end(), own->from.begin(), own->from.end());
        }
        if (released.threads.empty()) continue;
        released.from.push_back(b.released[scope]);
        b.released[scope] = add(std::move(released));
    }
    for (Thread& thread : b.threads) {
        for (const std::uint64_t word : thread.readWords) noteWord(b.readWords, word);
        const std::uint32_t time = thread.time;
        thread = {};
        thread.time = time;
    }
    ++b.epoch;
}

void HappensBefore::syncWarp(std::uint32_t block, std::uint32_t first, unsigned lanes) {
    flush();
    Known all;
    all.block = block;
    all.epoch = blockOf(block).epoch;
    const auto each = [&](auto visit) {
        for (std::uint32_t l = 0; l < 32; ++l)
            if (lanes >> l & 1) visit(static_cast<std::uint16_t>(first + l));
    };
    each([&](std::uint16_t lane) {
        Thread& thread = threadOf(block, lane);
        all.threads.emplace_back(lane, ++thread.time);
        for (const Known* const known : thread.known) all.from.push_back(known);
    });
    const Known* const known = add(std::move(all));
    each([&](std::uint16_t lane) {
        Thread& thread = threadOf(block, lane);
        thread.known[Formal] = known;
        thread.known[WithoutAcquire] = nullptr;
        for (const Known*& last : thread.last[WithoutAcquire]) last = nullptr;
    });
}

void HappensBefore::noteWord(ReadWords& readWords, std::uint64_t word) {
    constexpr std::size_t kMost = 8;
    const auto known = std::find(readWords.begin(), readWords.end(), word);
    if (known != readWords.end()) return;
    if (readWords.size() == kMost) readWords.erase(readWords.begin());
    readWords.push_back(word);
}

// Returns the atomic or volatile store by which the block of an access may have released this
// thread; 0 if there is none.
Instruction HappensBefore::toldBy(const Record& before, const Record& record,
                                  const SeenAccess& now) const {
    const Block& block = *blocks_.at(now.actor.block);
    for (const ReadWords* const readWords :
         {&block.threads[now.actor.thread].readWords, &block.readWords})
        for (const std::uint64_t word : *readWords) {
            const auto found = words_.find(word);
            if (found == words_.end() || !found->second.releasers) continue;
            if (word == now.key() / 4 && isSet(before, record)) continue;
            const auto releaser = found->second.releasers->find(before.block);
            if (releaser != found->second.releasers->end()) return releaser->second;
        }
    return 0;
}

// An atomic or volatile store hands over what the thread has released; a read gets what others have
// handed over in the word.
void HappensBefore::handOver(const SeenAccess& one, Word& word, Thread& thread) {
    if (one.reads()) {
        const Level level = one.mode.acquires ? Formal : WithoutAcquire;
        learn(thread, level, word.handed);
        if (word.handedInBlock) learn(thread, level, (*word.handedInBlock)[one.actor.block], true);
        noteWord(thread.readWords, one.key() / 4);
    }
    if (!one.writes()) return;
    if (!word.releasers) word.releasers = std::make_unique<std::map<std::uint32_t, Instruction>>();
    (*word.releasers)[one.actor.block] = one.instruction;
    const Known* own = nullptr;  // handed over by a store that releases by itself
    if (one.mode.releases) {
        own = ownKnown(one.actor.block, one.actor.thread);
        ++thread.time;
    }
    if (!one.reads()) {  // a store replaces what was handed over
        word.handed = nullptr;
        word.handedInBlock = nullptr;
    }
    const bool ofBlock = one.isAtomic() && one.mode.scope == Scope::Block;
    const Block& block = blockOf(one.actor.block);
    const auto give = [&](const Known* what, bool toBlock) {
        if (!what) return;
        if (toBlock && !word.handedInBlock)
            word.handedInBlock = std::make_unique<std::map<std::uint32_t, const Known*>>();
        const Known*& handed = toBlock ? (*word.handedInBlock)[one.actor.block] : word.handed;
        Known both;
        both.from = {what, handed};
        handed = handed ? add(std::move(both)) : what;
    };
    constexpr int wide = static_cast<int>(Scope::Device), narrow = static_cast<int>(Scope::Block);
    give(own, ofBlock);
    give(block.released[wide], ofBlock);
    give(thread.released[wide], ofBlock);
    if (block.released[narrow] != block.released[wide]) give(block.released[narrow], true);
    if (thread.released[narrow] != thread.released[wide]) give(thread.released[narrow], true);
}

}  // namespace cusim
