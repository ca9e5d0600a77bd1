#include "simulator/observers/happens_before.h"

#include <algorithm>
#include <cstring>

namespace cusim {

HappensBefore::HappensBefore(const RaceLog& suspected) {
    for (const auto& [pair, example] : suspected.races()) {
        std::vector<bool>& arrays = suspected_[pair.shared];
        if (arrays.size() <= pair.array) arrays.resize(pair.array + std::size_t{1});
        arrays[pair.array] = true;
    }
}

bool HappensBefore::isSuspected(const SeenAccess& one) const {
    const std::vector<bool>& arrays = suspected_[one.shared];
    return one.array < arrays.size() && arrays[one.array];
}

void HappensBefore::syncGrid() {
    flush();
    words_.clear();
}

bool HappensBefore::gotOthersThan(const Reads& before) const {
    std::map<Instruction, bool> others;
    for (const auto& [read, got] : watched_)
        others[read.second] |=
            !std::includes(before.at(read).values.begin(), before.at(read).values.end(),
                           got.values.begin(), got.values.end());
    return std::all_of(others.begin(), others.end(), [](const auto& one) { return one.second; });
}

void HappensBefore::access(const SeenAccess& seen) {
    SeenAccess one = seen;
    if (one.copied) one.actor.thread = copierOf(one.actor.thread);
    flush();
    if (!watched_.empty() && one.reads())
        for (std::size_t done = 0; done < one.bytes; done += 4 - (one.key() + done) % 4) {
            const auto found = watched_.find({(one.key() + done) / 4, one.instruction});
            if (found != watched_.end() && found->second.block == one.actor.block &&
                found->second.thread == one.actor.thread)
                found->second.values.insert(valueAt(one, one.data(), done));
        }
    knownBefore_ = threadOf(one.actor.block, one.actor.thread).known[WithoutAcquire];
    if (one.isStrong())
        handOver(one, words_[one.key() / 4], threadOf(one.actor.block, one.actor.thread));
    if (!isSuspected(one)) return;
    if (one.writes() && !one.isAtomic()) {
        storedAt_ = one.copied ? one.copied : one.data();
        lastStore_ = one;
        std::memcpy(replaced_, one.data(), std::min(one.bytes, sizeof replaced_));
    }
    for (std::size_t done = 0; done < one.bytes;) {
        const std::uint64_t at = one.key() + done;
        const std::size_t inWord = at % 4, here = std::min(4 - inWord, one.bytes - done);
        touchWord(one, at / 4, static_cast<std::uint8_t>(((1u << here) - 1) << inWord), done);
        done += here;
    }
}

RacePair HappensBefore::pairOf(const Record& before, const SeenAccess& seen) const {
    const auto [low, high] = std::minmax(before.instruction, seen.instruction);
    return {seen.shared, seen.array, low, high, before.block != seen.actor.block};
}

// A place counts once between two barriers, or once per launch if blocks race.
HappensBefore::PlaceOfRace HappensBefore::placeOf(const Record& before, const Access& access) {
    const SeenAccess& seen = access.seen;
    if (before.block != seen.actor.block) return {access.at, 0, 0, pairOf(before, seen)};
    return {access.at, seen.actor.block, blockOf(seen.actor.block).epoch, pairOf(before, seen)};
}

// Tests whether no more severe reason can be found. races() raises the reason of a read beside
// stores of several values.
bool HappensBefore::isKnownRace(const Record& before, const Access& access) {
    if (counted_.empty()) return false;
    const auto found = counted_.find(placeOf(before, access));
    const auto severe = access.word.one ? RaceReason::NoRelease : RaceReason::OneValue;
    return found != counted_.end() && found->second >= severe;
}

// Tests for two volatile accesses that lack only the reader's fence. They need not be ordered.
bool HappensBefore::isFlagWithoutFence(const Record& before, const Record& now, int level) {
    return level == WithoutAcquire && before.strong && now.strong && !(before.atomic && now.atomic);
}

// Tests for a plain read of a word that an atomic updates. It may be the first guess of a loop.
bool HappensBefore::isBesideAtomic(const Record& before, const Record& now) {
    return (before.atomic && !now.writes && !now.strong) ||
           (now.atomic && !before.writes && !before.strong);
}

// Tests for two plain stores to the same bytes. They may store the same value.
bool HappensBefore::areStores(const Record& before, const Record& now) {
    return before.writes && now.writes && !before.atomic && !now.atomic && before.mask == now.mask;
}

// Tests for a plain read of device memory beside a store. All stores may write the same value.
bool HappensBefore::isBesideStore(const Record& before, const Access& access) {
    const Record& now = access.now;
    return before.writes != now.writes && !before.strong && !now.strong && !access.seen.shared;
}

// Tests for an access to the source or the target of a copy without a wait.
bool HappensBefore::isUnderWay(const Record& before, const Access& access) {
    return isCopier(before.thread) && before.block == access.now.block && !access.seen.shared &&
           (before.thread == copierOf(access.now.thread) || before.epoch < access.now.epoch);
}

// Tests for a volatile flag without the fences that order the data which it announces.
bool HappensBefore::areVolatile(const Record& before, const Record& now) {
    return before.strong && now.strong && !before.atomic && !now.atomic &&
           before.writes != now.writes;
}

// Describes a conflict that nothing orders, with the reason that the accesses alone give.
HappensBefore::Suspect HappensBefore::suspectOf(const Record& before, const Access& access,
                                                int level) {
    const Record& now = access.now;
    const SeenAccess& seen = access.seen;
    const bool across = before.block != now.block;
    const Record& low = before.instruction <= now.instruction ? before : now;
    const Record& high = &low == &now ? before : now;
    RaceExample example{1,
                        low.block,
                        high.block,
                        seen.offset + access.skipped,
                        std::uint32_t{low.thread} % kMostThreads,
                        std::uint32_t{high.thread} % kMostThreads};
    if (across) example.firstThread = example.secondThread = 0;
    const Instruction told = across && before.writes ? toldBy(before, now, seen) : 0;
    example.reason = before.atomic && now.atomic  ? RaceReason::NarrowScope
                     : level == WithoutAcquire    ? RaceReason::NoAcquire
                     : told                       ? RaceReason::NoRelease
                     : isUnderWay(before, access) ? RaceReason::UnderWay
                                                  : RaceReason::Unordered;
    if (example.reason == RaceReason::NoRelease) example.handedOverBy = told;
    example.areVolatile = areVolatile(before, now);
    example.besideAtomic = isBesideAtomic(before, now);
    return {before, access.at, pairOf(before, seen), example, 0, placeOf(before, access)};
}

// Notes which value a plain read beside a store got, for readsOfOneValue().
void HappensBefore::noteRead(const Record& reader, std::uint64_t word) {
    Got& got = beside_[{word, reader.instruction}];
    if (got.block != reader.block || got.thread != reader.thread) got.values.clear();
    got.block = reader.block, got.thread = reader.thread;
    got.values.insert(reader.value);
}

void HappensBefore::judge(const Record& before, const Access& access, int level) {
    const Record& now = access.now;
    if (isFlagWithoutFence(before, now, level)) return;
    Suspect one = suspectOf(before, access, level);
    const bool stores = areStores(before, now) && one.example.reason != RaceReason::NoAcquire;
    const bool reads = isBesideStore(before, access) && one.example.reason == RaceReason::Unordered;
    if (reads) {
        const Record& reader = before.writes ? now : before;
        one.reads = reader.instruction;
        noteRead(reader, access.at);
    }
    // The value of the last store is not known yet.
    const auto reason = stores  ? RaceReason::SameValue
                        : reads ? RaceReason::OneValue
                                : one.example.reason;
    const auto [counted, isNew] = counted_.emplace(one.place, reason);
    if (reads && !isNew && counted->second >= reason) return;
    if (!isNew && reason <= counted->second) one.example.count = 0;
    counted->second = std::max(counted->second, reason);
    if (one.example.besideAtomic) {
        one.reads = before.atomic ? now.instruction : before.instruction;
        guesses_.push_back(one);
    } else if (stores) {
        stores_.push_back(one);
    } else if (reads) {
        reads_.push_back(one);
    } else {
        log_.add(one.pair, one.example);
    }
}

// Notes what the last store has left in a word.
void HappensBefore::noteValue(Word& word, std::uint32_t value, std::size_t skipped) {
    if (!word.stored || word.hasOneStore()) {
        word.stored = true;
        word.value = value;
        word.differ = false;
    }
    word.differ |= word.value != value;
    const auto bytes = std::min(4 - (lastStore_.key() + skipped) % 4, lastStore_.bytes - skipped);
    if (word.first < 0) word.first = value;
    word.one &= word.first == value && skipped + bytes <= sizeof replaced_;
    if (word.one) word.changed |= std::memcmp(&value, replaced_ + skipped, bytes) != 0;
}

// Judges two stores to a word, after the value of the second one is known.
void HappensBefore::judgeStores(Suspect& one, std::uint32_t value, bool differ) {
    if (one.before.value == value && !differ) one.example.reason = RaceReason::SameValue;
    RaceReason& counted = counted_[one.place];
    // A more severe reason restarts the count.
    if (one.example.reason > counted) one.example.count = 1;
    counted = std::max(counted, one.example.reason);
    log_.add(one.pair, one.example);
}

void HappensBefore::flush() {
    if (!storedAt_) return;
    for (const auto& [at, record, skipped] : storedWords_) {
        Word& word = words_[at];
        record->value = valueAt(lastStore_, storedAt_, skipped);
        noteValue(word, record->value, skipped);
        for (Suspect& one : stores_)
            if (one.word == at) judgeStores(one, record->value, word.differ);
    }
    storedAt_ = nullptr;
    storedWords_.clear();
    stores_.clear();
}

// Judges a plain read beside stores, after the values of all of them are known.
void HappensBefore::judgeRead(Suspect& one) {
    const Word& word = words_[one.word];
    if (word.one && word.changed) harmless_.insert(*beside_.find({one.word, one.reads}));
    if (word.one) one.example.reason = word.changed ? RaceReason::OneValue : RaceReason::Unchanged;
    log_.add(one.pair, one.example);
}

RaceLog HappensBefore::races() {
    flush();
    for (const Suspect& one : guesses_)
        if (confirmed_.count(one.reads) == 0) log_.add(one.pair, one.example);
    guesses_.clear();
    for (Suspect& one : reads_) judgeRead(one);
    reads_.clear();
    return std::move(log_);
}

}  // namespace cusim
