#include "simulator/observers/happens_before.h"

#include <algorithm>
#include <cstring>

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
    all_.push_back(std::move(known));
    return &all_.back();
}

void HappensBefore::learn(Thread& thread, Level level, const Known* what) {
    if (!what || thread.last[level] == what) return;
    thread.last[level] = what;
    Known both;
    both.from = {what, thread.known[level]};
    thread.known[level] = thread.known[level] ? add(std::move(both)) : what;
}

// Searches what is known for an access, the newest first.
bool HappensBefore::covers(const Known* known, const Record& what, std::uint32_t forBlock) {
    if (!known) return false;
    const std::uint64_t search = ++searches_;
    std::deque<const Known*> open{known};
    known->seen = search;
    while (!open.empty()) {
        const Known* const one = open.front();
        open.pop_front();
        if (one->onlyBlock >= 0 && one->onlyBlock != forBlock) continue;
        if (one->block == what.block) {
            if (what.epoch < one->epoch) return true;
            for (const auto& [thread, time] : one->threads)
                if (thread == what.thread && what.epoch <= one->epoch && what.time < time)
                    return true;
        }
        for (const Known* const next : one->from) {
            if (next->seen == search) continue;
            next->seen = search;
            open.push_back(next);
        }
    }
    return false;
}

// Returns the first level at which an access of another thread is known to have happened, or
// kLevels.
int HappensBefore::levelOf(const Record& before, const Touch& now) {
    const Block& block = blockOf(now.block);
    if (before.block == now.block && before.epoch < block.epoch) return Formal;
    const Thread& thread = threadOf(now.block, now.thread);
    if (covers(thread.known[Formal], before, now.block) || covers(block.known, before, now.block))
        return Formal;
    return covers(thread.known[WithoutAcquire], before, now.block) ? WithoutAcquire : kLevels;
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
    // What an atomic has read before is known from here on.
    learn(t, Formal, t.known[WithoutAcquire]);
    t.known[WithoutAcquire] = t.last[WithoutAcquire] = nullptr;
    const Known* const own = ownKnown(block, thread);
    t.released[static_cast<int>(Scope::Block)] = own;
    if (scope == Scope::Device) t.released[static_cast<int>(Scope::Device)] = own;
    ++t.time;
}

void HappensBefore::barrier(std::uint32_t block) {
    settle();
    Block& b = blockOf(block);
    Known all;
    all.from = {b.known};
    for (const Thread& thread : b.threads)
        // A barrier orders what an atomic has read before, as a fence does.
        for (const Known* const known : thread.known)
            if (known) all.from.push_back(known);
    if (all.from.size() > 1) b.known = add(std::move(all));
    // Fences of several threads in front of a barrier let one of them hand over for all.
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
        for (const std::uint64_t word : thread.heard) hear(b.heard, word);
        const std::uint32_t time = thread.time;
        thread = {};
        thread.time = time;
    }
    ++b.epoch;
}

void HappensBefore::syncWarp(std::uint32_t block, std::uint32_t first, unsigned lanes) {
    settle();
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
        thread.known[WithoutAcquire] = thread.last[WithoutAcquire] = nullptr;
    });
}

void HappensBefore::syncGrid() {
    settle();
    words_.clear();
}

void HappensBefore::hear(Heard& heard, std::uint64_t word) {
    constexpr std::size_t kMost = 8;
    const auto known = std::find(heard.begin(), heard.end(), word);
    if (known != heard.end()) return;
    if (heard.size() == kMost) heard.erase(heard.begin());
    heard.push_back(word);
}

// Returns the atomic or volatile store by which the block of an access may have told this thread to
// go on; 0 if there is none.
Instruction HappensBefore::toldBy(const Record& before, const Touch& now) const {
    const Block& block = *blocks_.at(now.block);
    for (const Heard* const heard : {&block.threads[now.thread].heard, &block.heard})
        for (const std::uint64_t word : *heard) {
            const auto found = words_.find(word);
            if (found == words_.end()) continue;
            const auto teller = found->second.tellers.find(before.block);
            if (teller != found->second.tellers.end()) return teller->second;
        }
    return 0;
}

// Hands over at an atomic or volatile store what the thread has released, and gets at a read what
// others have handed over there.
void HappensBefore::handOver(const Touch& one, Word& word, Thread& thread) {
    if (one.reads()) {
        learn(thread, one.mode.acquires ? Formal : WithoutAcquire, word.handed);
        hear(thread.heard, one.key / 4);
    }
    if (!one.writes()) return;
    word.tellers[one.block] = one.instruction;
    const Known* own = nullptr;  // what a store hands over that releases by itself
    if (one.mode.releases) {
        own = ownKnown(one.block, one.thread);
        ++thread.time;
    }
    if (!one.reads()) word.handed = nullptr;  // a store begins anew
    const bool ofBlock = one.isAtomic() && one.mode.scope == Scope::Block;
    const Block& block = blockOf(one.block);
    const auto give = [&](const Known* what, bool toBlock) {
        if (!what) return;
        Known handed;
        handed.from = {what};
        if (toBlock) handed.onlyBlock = one.block;
        const Known* const made = toBlock ? add(std::move(handed)) : what;
        Known both;
        both.from = {made, word.handed};
        word.handed = word.handed ? add(std::move(both)) : made;
    };
    constexpr int wide = static_cast<int>(Scope::Device), narrow = static_cast<int>(Scope::Block);
    give(own, ofBlock);
    give(block.released[wide], ofBlock);
    give(thread.released[wide], ofBlock);
    if (block.released[narrow] != block.released[wide]) give(block.released[narrow], true);
    if (thread.released[narrow] != thread.released[wide]) give(thread.released[narrow], true);
}

void HappensBefore::touch(const Touch& one) {
    settle();
    if (one.writes() && !one.isAtomic()) {
        storedAt_ = one.address;
        lastStore_ = one;
    }
    if (one.isStrong()) handOver(one, words_[one.key / 4], threadOf(one.block, one.thread));
    for (std::size_t done = 0; done < one.bytes;) {
        const std::uint64_t at = one.key + done;
        const std::size_t inWord = at % 4, here = std::min(4 - inWord, one.bytes - done);
        touchWord(one, at / 4, static_cast<std::uint8_t>(((1u << here) - 1) << inWord), done);
        done += here;
    }
}

void HappensBefore::touchWord(const Touch& one, std::uint64_t at, std::uint8_t mask,
                              std::size_t skipped) {
    Word& word = words_[at];
    const Thread& thread = threadOf(one.block, one.thread);
    const auto released = [&](Scope scope) {
        const int i = static_cast<int>(scope);
        return (one.mode.releases && one.mode.scope >= scope) || thread.released[i] ||
               blockOf(one.block).released[i];
    };
    const std::uint8_t fenced = released(Scope::Device) ? 2 : released(Scope::Block) ? 1 : 0;
    const Record now{one.block,
                     blockOf(one.block).epoch,
                     thread.time,
                     one.thread,
                     mask,
                     one.reads(),
                     one.writes(),
                     one.isAtomic(),
                     one.isStrong(),
                     one.isAtomic() && one.mode.scope == Scope::Block,
                     fenced,
                     one.instruction,
                     0};
    std::vector<Record>& records = word.records;
    const auto mine = [&](const Record& r) {
        return r.block == one.block && r.thread == one.thread;
    };
    if (one.mode.compared && skipped == 0) {
        const auto last = std::find_if(records.rbegin(), records.rend(), mine);
        if (last != records.rend() && !last->writes && !last->strong &&
            std::memcmp(one.mode.compared, one.address, one.bytes) == 0)
            confirmed_.insert(last->instruction);
    }
    const bool full = records.size() > 2 * word.lastSize + 8;  // time to forget reads
    const auto goes = [&](const Record& before) {
        // Keeps what may race where this access does not: one that is weaker, and of reads the last
        // one of each instruction.
        const bool follows =
            (before.mask & ~mask) == 0 && (before.strong || !now.strong) &&
            (before.atomic || !now.atomic) && (!before.strong || before.fenced >= now.fenced) &&
            (before.writes
                 ? now.writes
                 : now.instruction == before.instruction || (now.writes && !mine(before)));
        if (mine(before)) return follows;
        if (!(before.mask & mask)) return false;
        const bool conflict = (before.writes || now.writes) && !inTurn(before, now);
        if (!conflict && !full) return false;
        if (conflict && isKnownRace(before, one, at)) return false;
        const int level = levelOf(before, one);
        if (conflict && level != Formal) judge(before, one, now, at, level, skipped);
        return follows && level == Formal;
    };
    // A read that repeats the thread's last one changes nothing.
    if (!now.writes && !records.empty() && mine(records.back()) &&
        records.back().instruction == now.instruction && records.back().mask == mask) {
        for (const Record& before : records)
            if (before.writes) goes(before);
        records.back() = now;
    } else {
        records.erase(std::remove_if(records.begin(), records.end(), goes), records.end());
        if (full) word.lastSize = records.size();
        records.push_back(now);
    }
    if (now.writes && !now.atomic) storedWords_.emplace_back(at, skipped);
}

// Tests for two atomics that see each other.
bool HappensBefore::inTurn(const Record& before, const Record& now) {
    return before.atomic && now.atomic &&
           (before.block == now.block || !(before.ofBlock || now.ofBlock));
}

RacePair HappensBefore::pairOf(const Record& before, const Touch& touch) const {
    const auto [low, high] = std::minmax(before.instruction, touch.instruction);
    return {touch.shared, touch.array, low, high, before.block != touch.block};
}

// A place counts once between two barriers, or once in the launch where blocks race.
HappensBefore::PlaceOfRace HappensBefore::placeOf(const Record& before, const Touch& touch,
                                                  std::uint64_t word) {
    if (before.block != touch.block) return {word, 0, 0, pairOf(before, touch)};
    return {word, touch.block, blockOf(touch.block).epoch, pairOf(before, touch)};
}

// Tests whether a graver reason cannot be found, so that pairs of many threads cost little.
bool HappensBefore::isKnownRace(const Record& before, const Touch& touch, std::uint64_t word) {
    if (counted_.empty()) return false;
    const auto found = counted_.find(placeOf(before, touch, word));
    return found != counted_.end() && found->second >= RaceReason::NoRelease;
}

void HappensBefore::judge(const Record& before, const Touch& touch, const Record& now,
                          std::uint64_t word, int level, std::size_t skipped) {
    const bool across = before.block != now.block;
    // Flags that threads wait for: a fence that is wide enough stands before each store.
    const auto ready = [&](const Record& r) { return !r.writes || r.fenced >= (across ? 2 : 1); };
    if (before.strong && now.strong && !(before.atomic && now.atomic) &&
        (level == WithoutAcquire || (ready(before) && ready(now))))
        return;
    const Record& low = before.instruction <= now.instruction ? before : now;
    const Record& high = &low == &now ? before : now;
    Suspect one{before,
                word,
                pairOf(before, touch),
                {1, low.block, high.block, touch.offset + skipped, low.thread, high.thread},
                0,
                {}};
    if (across) one.example.firstThread = one.example.secondThread = 0;
    const Instruction told = across && before.writes ? toldBy(before, touch) : 0;
    one.example.reason = before.atomic && now.atomic ? RaceReason::NarrowScope
                         : level == WithoutAcquire   ? RaceReason::NoAcquire
                         : told                      ? RaceReason::NoRelease
                                                     : RaceReason::Unordered;
    if (one.example.reason == RaceReason::NoRelease) one.example.handedOverBy = told;
    const bool stores = before.writes && now.writes && !before.atomic && !now.atomic &&
                        before.mask == now.mask && one.example.reason != RaceReason::NoAcquire;
    one.place = placeOf(before, touch, word);
    // Of two stores it is not known yet.
    const auto reason = stores ? RaceReason::SameValue : one.example.reason;
    const auto [counted, isNew] = counted_.emplace(one.place, reason);
    if (!isNew && reason <= counted->second) one.example.count = 0;
    counted->second = std::max(counted->second, reason);
    const bool guess = (before.atomic && !now.writes && !now.strong) ||
                       (now.atomic && !before.writes && !before.strong);
    if (guess) {
        one.reads = before.atomic ? now.instruction : before.instruction;
        guesses_.push_back(one);
    } else if (stores) {
        stores_.push_back(one);
    } else {
        log_.add(one.pair, one.example);
    }
}

void HappensBefore::settle() {
    if (!storedAt_) return;
    for (const auto& [at, skipped] : storedWords_) {
        const std::size_t inWord = (lastStore_.key + skipped) % 4;
        std::uint32_t value = 0;
        std::memcpy(&value, static_cast<const char*>(storedAt_) + skipped,
                    std::min(4 - inWord, lastStore_.bytes - skipped));
        words_[at].records.back().value = value;
        Word& word = words_[at];
        const auto writes = std::count_if(word.records.begin(), word.records.end(),
                                          [](const Record& one) { return one.writes; });
        if (writes == 1 || !word.stored) {
            word.stored = true;
            word.value = value;
            word.differ = false;
        }
        word.differ |= word.value != value;
        for (Suspect& one : stores_) {
            if (one.word != at) continue;
            if (one.before.value == value && !word.differ)
                one.example.reason = RaceReason::SameValue;
            RaceReason& counted = counted_[one.place];
            // A graver reason is counted anew.
            if (one.example.reason > counted) one.example.count = 1;
            counted = std::max(counted, one.example.reason);
            log_.add(one.pair, one.example);
        }
    }
    storedAt_ = nullptr;
    storedWords_.clear();
    stores_.clear();
}

RaceLog HappensBefore::races() {
    settle();
    for (const Suspect& one : guesses_)
        if (confirmed_.count(one.reads) == 0) log_.add(one.pair, one.example);
    guesses_.clear();
    return std::move(log_);
}

}  // namespace cusim
