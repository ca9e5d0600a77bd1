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

bool HappensBefore::isSuspected(const Touch& one) const {
    const std::vector<bool>& arrays = suspected_[one.shared];
    return one.array < arrays.size() && arrays[one.array];
}

void HappensBefore::syncGrid() {
    settle();
    words_.clear();
}

// Returns the bytes that an access finds in a word, of which it touches those from `skipped` on.
static std::uint32_t valueAt(const Touch& one, std::size_t skipped) {
    std::uint32_t value = 0;
    const std::size_t inWord = (one.key + skipped) % 4;
    std::memcpy(&value, static_cast<const char*>(one.address) + skipped,
                std::min(4 - inWord, one.bytes - skipped));
    return value;
}

bool HappensBefore::gotOthersThan(const Reads& before) const {
    std::map<Instruction, bool> others;
    for (const auto& [read, got] : watched_)
        others[read.second] |=
            !std::includes(before.at(read).values.begin(), before.at(read).values.end(),
                           got.values.begin(), got.values.end());
    return std::all_of(others.begin(), others.end(), [](const auto& one) { return one.second; });
}

void HappensBefore::touch(const Touch& one) {
    settle();
    if (!watched_.empty() && one.reads())
        for (std::size_t done = 0; done < one.bytes; done += 4 - (one.key + done) % 4) {
            const auto found = watched_.find({(one.key + done) / 4, one.instruction});
            if (found != watched_.end() && found->second.block == one.block &&
                found->second.thread == one.thread)
                found->second.values.insert(valueAt(one, done));
        }
    if (one.isStrong()) handOver(one, words_[one.key / 4], threadOf(one.block, one.thread));
    if (!isSuspected(one)) return;
    if (one.writes() && !one.isAtomic()) {
        storedAt_ = one.stored ? one.stored : one.address;
        lastStore_ = one;
        std::memcpy(replaced_, one.address, std::min(one.bytes, sizeof replaced_));
    }
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
                     static_cast<std::uint8_t>(one.bytes),
                     one.reads(),
                     one.writes(),
                     one.isAtomic(),
                     one.isStrong(),
                     one.isAtomic() && one.mode.scope == Scope::Block,
                     fenced,
                     one.instruction,
                     one.reads() ? valueAt(one, skipped) : 0,
                     all_.size()};
    std::vector<Record>& records = word.records;
    // Whoever uses a target too early is found by AsyncCopies, the copying thread as well.
    const auto who = [&](std::uint16_t of) { return one.shared ? of % kMostThreads : of; };
    const auto mine = [&](const Record& r) {
        return r.block == one.block && who(r.thread) == who(one.thread);
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
        // Who comes behind this atomic comes behind those that it has read, too.
        if (inTurn(before, now) && now.reads && now.writes && (before.mask & ~mask) == 0 &&
            before.fenced >= now.fenced && before.ofBlock <= now.ofBlock)
            return true;
        const bool conflict =
            (before.writes || now.writes) && !inTurn(before, now) && !areStrong(before, now);
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
    word.one &= !now.writes || !now.atomic;
}

// Tests for two atomics that see each other.
bool HappensBefore::inTurn(const Record& before, const Record& now) {
    return before.atomic && now.atomic &&
           (before.block == now.block || !(before.ofBlock || now.ofBlock));
}

// Tests for an atomic and a volatile access that the model calls morally strong: of the same bytes,
// and in the atomic's scope.
bool HappensBefore::areStrong(const Record& before, const Record& now) {
    return before.strong && now.strong && before.atomic != now.atomic && before.mask == now.mask &&
           before.bytes == now.bytes &&
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
    Suspect one{
        before,
        word,
        pairOf(before, touch),
        {1, low.block, high.block, touch.offset + skipped, std::uint32_t{low.thread} % kMostThreads,
         std::uint32_t{high.thread} % kMostThreads},
        0,
        {}};
    if (across) one.example.firstThread = one.example.secondThread = 0;
    const Instruction told = across && before.writes ? toldBy(before, touch) : 0;
    const bool underWay = isCopier(before.thread) && !across && !touch.shared &&
                          (before.thread == copierOf(now.thread) || before.epoch < now.epoch);
    one.example.reason = before.atomic && now.atomic ? RaceReason::NarrowScope
                         : level == WithoutAcquire   ? RaceReason::NoAcquire
                         : told                      ? RaceReason::NoRelease
                         : underWay                  ? RaceReason::UnderWay
                                                     : RaceReason::Unordered;
    if (one.example.reason == RaceReason::NoRelease) one.example.handedOverBy = told;
    one.example.areVolatile =
        before.strong && now.strong && !before.atomic && !now.atomic && before.writes != now.writes;
    const bool stores = before.writes && now.writes && !before.atomic && !now.atomic &&
                        before.mask == now.mask && one.example.reason != RaceReason::NoAcquire;
    one.example.besideAtomic = (before.atomic && !now.writes && !now.strong) ||
                               (now.atomic && !before.writes && !before.strong);
    one.place = placeOf(before, touch, word);
    const bool reads = before.writes != now.writes && !before.strong && !now.strong &&
                       !touch.shared && one.example.reason == RaceReason::Unordered;
    if (reads) {
        const Record& reader = before.writes ? now : before;
        one.reads = reader.instruction;
        Got& got = beside_[{word, reader.instruction}];
        if (got.block != reader.block || got.thread != reader.thread) got.values.clear();
        got.block = reader.block, got.thread = reader.thread;
        got.values.insert(reader.value);
    }
    // It is not known yet what is stored.
    const auto reason = stores  ? RaceReason::SameValue
                        : reads ? RaceReason::OneValue
                                : one.example.reason;
    const auto [counted, isNew] = counted_.emplace(one.place, reason);
    if (reads && !isNew && counted->second >= reason) return;
    if (!isNew && reason <= counted->second) one.example.count = 0;
    counted->second = std::max(counted->second, reason);
    const bool guess = one.example.besideAtomic;
    if (guess) {
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
        const auto bytes = std::min(4 - inWord, lastStore_.bytes - skipped);
        if (word.first < 0) word.first = value;
        word.one &= word.first == value && skipped + bytes <= sizeof replaced_;
        if (word.one) word.changed |= std::memcmp(&value, replaced_ + skipped, bytes) != 0;
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
    for (Suspect& one : reads_) {
        const Word& word = words_[one.word];
        if (word.one && word.changed) harmless_.insert(*beside_.find({one.word, one.reads}));
        if (word.one)
            one.example.reason = word.changed ? RaceReason::OneValue : RaceReason::Unchanged;
        log_.add(one.pair, one.example);
    }
    reads_.clear();
    return std::move(log_);
}

}  // namespace cusim
