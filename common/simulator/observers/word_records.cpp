// The part of HappensBefore that keeps the accesses to a word, and chooses those with which the
// next one is compared: each of many threads at one word costs no more than one of a few.
#include <algorithm>
#include <cstring>
#include <iterator>

#include "simulator/observers/happens_before.h"

namespace cusim {

// Returns the bytes of an access that lie in a word, from the access's byte `skipped` on.
std::uint32_t HappensBefore::valueAt(const SeenAccess& one, const void* bytes,
                                     std::size_t skipped) {
    std::uint32_t value = 0;
    const std::size_t inWord = (one.key() + skipped) % 4;
    std::memcpy(&value, static_cast<const char*>(bytes) + skipped,
                std::min(4 - inWord, one.bytes - skipped));
    return value;
}

bool HappensBefore::Word::hasOneStore() const {
    auto stores = std::count_if(few.begin(), few.end(), [](const Record& r) { return r.writes; });
    for (const Groups& groups : many)
        if (groups[0][0].writes) stores += groups.size() > 1 || groups[0].size() > 1 ? 2 : 1;
    return stores <= 1;
}

HappensBefore::Record HappensBefore::recordOf(const SeenAccess& one, std::uint8_t mask,
                                              std::size_t skipped) {
    const Block& block = blockOf(one.actor.block);
    const Thread& thread = threadOf(one.actor.block, one.actor.thread);
    const auto released = [&](Scope scope) {
        const int i = static_cast<int>(scope);
        return (one.mode.releases && one.mode.scope >= scope) || thread.released[i] ||
               block.released[i];
    };
    const std::uint8_t fenced = released(Scope::Device) ? 2 : released(Scope::Block) ? 1 : 0;
    return {one.actor.block,
            block.epoch,
            thread.time,
            one.actor.thread,
            mask,
            static_cast<std::uint8_t>(one.bytes),
            one.reads(),
            one.writes(),
            one.isAtomic(),
            one.isStrong(),
            one.isAtomic() && one.mode.scope == Scope::Block,
            fenced,
            one.instruction,
            one.reads() ? valueAt(one, one.data(), skipped) : 0,
            all_.size(),
            ++touches_};
}

void HappensBefore::touchWord(const SeenAccess& one, std::uint64_t at, std::uint8_t mask,
                              std::size_t skipped) {
    Word& word = words_[at];
    const bool full = word.size > 2 * word.lastSize + 8;
    const Access access{one, at, word, skipped, recordOf(one, mask, skipped), full};
    if (one.mode.compared && skipped == 0) confirmGuess(access);
    const auto goes = [&](const Record& before) {
        if (isMine(before, access)) return follows(before, access);
        return isOpen(before, access) && judgeOne(before, access).goes;
    };
    const std::size_t before = word.few.size();
    word.few.erase(std::remove_if(word.few.begin(), word.few.end(), goes), word.few.end());
    word.size -= before - word.few.size();
    for (Groups& groups : word.many) compare(groups, access);
    word.many.erase(std::remove_if(word.many.begin(), word.many.end(),
                                   [](const Groups& groups) { return groups.empty(); }),
                    word.many.end());
    if (full) word.lastSize = word.size;
    Record* const kept = keep(word, access.now);
    if (kept->writes && !kept->atomic) storedWords_.push_back({at, kept, skipped});
    word.one &= !kept->writes || !kept->atomic;
}

// Tests whether records differ only in thread, time and value.
static constexpr auto isAlike = [](const auto& one, const auto& other) {
    return one.instruction == other.instruction && one.mask == other.mask &&
           one.bytes == other.bytes && one.reads == other.reads && one.writes == other.writes &&
           one.strong == other.strong && one.ofBlock == other.ofBlock && one.fenced == other.fenced;
};

HappensBefore::Record* HappensBefore::keep(Word& word, const Record& now) {
    constexpr std::size_t kFew = 16;
    ++word.size;
    if (word.many.empty() && word.few.size() < kFew) return &word.few.emplace_back(now);
    for (const Record& one : word.few) addTo(word.many, one);
    word.few.clear();
    return addTo(word.many, now);
}

HappensBefore::Record* HappensBefore::addTo(std::vector<Groups>& many, const Record& now) {
    const auto groups = std::find_if(many.begin(), many.end(),
                                     [&](const Groups& one) { return isAlike(one[0][0], now); });
    Groups& alike = groups != many.end() ? *groups : many.emplace_back();
    const auto group = std::find_if(alike.rbegin(), alike.rend(),
                                    [&](const Group& one) { return one[0].block == now.block; });
    return &(group != alike.rend() ? *group : alike.emplace_back()).emplace_back(now);
}

// AsyncCopies finds a thread that uses a target too early, even if it is the copying thread.
bool HappensBefore::isMine(const Record& before, const Access& access) {
    const std::uint16_t threads = access.seen.shared ? kMostThreads : 2 * kMostThreads;
    return before.block == access.now.block &&
           before.thread % threads == access.now.thread % threads;
}

// Notes a plain read of this thread that was the first guess of this compare-and-swap.
void HappensBefore::confirmGuess(const Access& access) {
    const Record* last = nullptr;
    const auto look = [&](const Group& group) {
        for (const Record& one : group)
            if (isMine(one, access) && (!last || last->number < one.number)) last = &one;
    };
    look(access.word.few);
    for (const Groups& groups : access.word.many) {
        const auto own = std::find_if(groups.rbegin(), groups.rend(), [&](const Group& one) {
            return one[0].block == access.now.block;
        });
        if (own != groups.rend()) look(*own);
    }
    const SeenAccess& seen = access.seen;
    if (last && !last->writes && !last->strong &&
        std::memcmp(seen.mode.compared, seen.data(), seen.bytes) == 0)
        confirmed_.insert(last->instruction);
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

// Tests for flags that threads wait for: a wide enough fence is before each store.
bool HappensBefore::areFlags(const Record& before, const Record& now) {
    const int wide = before.block != now.block ? 2 : 1;
    const auto ready = [&](const Record& r) { return !r.writes || r.fenced >= wide; };
    return before.strong && now.strong && !(before.atomic && now.atomic) && ready(before) &&
           ready(now);
}

bool HappensBefore::conflict(const Record& before, const Record& now) {
    return (before.writes || now.writes) && !inTurn(before, now) && !areStrong(before, now) &&
           !areFlags(before, now);
}

// Tests whether an atomic has read the result of another one: what comes after it is after both.
bool HappensBefore::endsTurn(const Record& before, const Record& now) {
    return inTurn(before, now) && now.reads && now.writes && (before.mask & ~now.mask) == 0 &&
           before.fenced >= now.fenced && before.ofBlock <= now.ofBlock;
}

// Tests whether a record that is ordered before an access may be forgotten. Keeps records that may
// race if the access does not: weaker ones, and the last read of each instruction.
bool HappensBefore::follows(const Record& before, const Access& access) {
    const Record& now = access.now;
    return (before.mask & ~now.mask) == 0 && (before.strong || !now.strong) &&
           (before.atomic || !now.atomic) && (!before.strong || before.fenced >= now.fenced) &&
           (before.writes
                ? now.writes
                : now.instruction == before.instruction || (now.writes && !isMine(before, access)));
}

// Tests whether an access is compared with records like this one.
bool HappensBefore::isOpen(const Record& before, const Access& access) {
    if (!(before.mask & access.now.mask)) return false;
    if (endsTurn(before, access.now)) return true;
    return conflict(before, access.now) ? !isKnownRace(before, access) : access.full;
}

// Tests whether a barrier orders a record and those before it, and the access replaces none.
bool HappensBefore::isPast(const Record& before, const Access& access) {
    return before.epoch < access.now.epoch && !isCopier(before.thread) && !follows(before, access);
}

// Compares an access with records that are alike: first those of other blocks, then those of its
// own. Forgets those that it replaces.
void HappensBefore::compare(Groups& groups, const Access& access) {
    const auto isOwn = [&](const Group& one) {
        return !one.empty() && one[0].block == access.now.block;
    };
    bool emptied = false;
    const auto other = std::find_if_not(groups.begin(), groups.end(), isOwn);
    if (other != groups.end() && isOpen((*other)[0], access)) {
        bool found = false;
        for (auto group = other; group != groups.end() && !found; ++group) {
            if (isOwn(*group)) continue;
            found = judgeFirst(*group, access);
            emptied |= group->empty();
        }
        if (found)
            std::any_of(groups.rbegin(), groups.rend(),
                        [&](const Group& one) { return !isOwn(one) && judgeLast(one, access); });
    }
    const auto own = std::find_if(groups.rbegin(), groups.rend(), isOwn);
    if (own != groups.rend()) {
        forgetMine(*own, access);
        if (!own->empty() && !isPast(own->back(), access) && isOpen((*own)[0], access) &&
            judgeFirst(*own, access))
            judgeLast(*own, access);
        emptied |= own->empty();
    }
    if (!emptied) return;
    groups.erase(
        std::remove_if(groups.begin(), groups.end(), [](const Group& one) { return one.empty(); }),
        groups.end());
}

void HappensBefore::forgetMine(Group& group, const Access& access) {
    const auto mine = std::find_if(group.rbegin(), group.rend(),
                                   [&](const Record& one) { return isMine(one, access); });
    if (mine == group.rend() || !follows(*mine, access)) return;
    group.erase(std::next(mine).base());
    --access.word.size;
}

// Compares an access with an open one of another thread. Returns whether nothing orders them, and
// whether the other one may be forgotten.
HappensBefore::Judged HappensBefore::judgeOne(const Record& before, const Access& access) {
    if (endsTurn(before, access.now)) return {false, true};
    int level = levelOf(before, access.seen);
    if (level == WithoutAcquire && isSet(before, access.now) && !covers(knownBefore_, before))
        level = kLevels;
    const bool may = conflict(before, access.now);
    if (may && level != Formal) judge(before, access, level);
    // What comes after this access comes after that one, too, except for a missing fence after its
    // atomic, which is reported once.
    const bool known = level == Formal || (level == WithoutAcquire && may && !before.strong);
    return {level == kLevels, known && follows(before, access)};
}

// Compares an access with the records of a group, up to the first one that nothing orders: more of
// them would change nothing. Returns whether there is one.
bool HappensBefore::judgeFirst(Group& group, const Access& access) {
    Judged judged{false, false};
    std::size_t kept = 0, next = 0;
    for (; next < group.size() && !judged.unordered; ++next) {
        const bool mine = isMine(group[next], access);
        if (!mine) judged = judgeOne(group[next], access);
        if (mine || !judged.goes) group[kept++] = group[next];
    }
    group.erase(group.begin() + static_cast<std::ptrdiff_t>(kept),
                group.begin() + static_cast<std::ptrdiff_t>(next));
    access.word.size -= next - kept;
    return judged.unordered;
}

// Compares a store with the last read of a group that nothing orders, which readsOfOneValue()
// keeps. Returns whether no other group needs a comparison.
bool HappensBefore::judgeLast(const Group& group, const Access& access) {
    if (group.empty()) return false;
    const Record& now = access.now;
    if (!now.writes || now.strong || access.seen.shared || group[0].writes || group[0].strong)
        return true;
    const auto last = std::find_if(group.rbegin(), group.rend(), [&](const Record& before) {
        return !isMine(before, access) && levelOf(before, access.seen) == kLevels;
    });
    if (last != group.rend()) judge(*last, access, kLevels);
    return last != group.rend();
}

}  // namespace cusim
