#include "memory_model.h"

#include <algorithm>

namespace random_kernel {

Model::Model(const std::vector<NotedStep>& steps, bool certain) : certain_(certain) {
    for (int i = 0; i < static_cast<int>(steps.size()); ++i) step(i, steps[i]);
}

template <class Weigh>
Verdict Model::worst(char array, Weigh weigh) const {
    Verdict worst = Clean;
    for (std::size_t b = 0; b < all_.size(); ++b)
        for (std::size_t a = 0; a < b; ++a)
            if (all_[a].array == array && !isReadBefore(a, b))
                worst = std::max(worst, weigh(all_[a], all_[b]));
    return worst;
}

Verdict Model::of(char array) const { return worst(array, between); }

Verdict Model::ofUsed(char array) const {
    return worst(array, [](const Event& a, const Event& b) {
        const bool ofCopy = (a.copy && a.reads) || (b.copy && b.reads);
        return ofCopy ? std::min(between(a, b), Remark) : between(a, b);
    });
}

bool Model::isDetermined() const {
    for (const Event& b : all_)
        for (const Event& a : all_) {
            if (a.index >= b.index || !conflict(a, b) || b.before[a.index]) continue;
            if (a.array == 'h' || (a.what == Add && b.what == Add)) continue;
            return false;
        }
    return true;
}

bool Model::conflict(const Event& a, const Event& b) {
    if (a.array != b.array || a.place != b.place || (!a.writes && !b.writes)) return false;
    return a.actor != b.actor || a.copy;
}

Verdict Model::between(const Event& a, const Event& b) {
    if (!conflict(a, b) || (a.atomic && b.atomic) || b.before[a.index]) return Clean;
    if (a.strong && b.strong && (a.atomic || b.atomic || b.weakly[a.index])) return Clean;
    const int fence = blockOf(a.actor) == blockOf(b.actor) ? 1 : 2;
    const auto ready = [&](const Event& e) { return !e.writes || e.fenced >= fence; };
    if (a.strong && b.strong && ready(a) && ready(b)) return Clean;
    if ((a.atomic && b.guess) || (b.atomic && a.guess)) return Clean;
    if (b.weakly[a.index]) return Remark;
    return a.array == 'e' && a.writes && b.writes ? Remark : Race;
}

// Tests for an atomic that another one has read before b: an access after that one comes after
// both.
bool Model::isReadBefore(std::size_t a, std::size_t b) const {
    const Event& first = all_[a];
    for (std::size_t c = a + 1; c < b && first.atomic; ++c) {
        const Event& next = all_[c];
        if (next.array == first.array && next.place == first.place && next.atomic && next.reads &&
            next.writes && next.actor != first.actor && first.fenced >= next.fenced)
            return true;
    }
    return false;
}

Model::Event& Model::access(int i, const NotedStep& d, char array, bool reads, bool writes) {
    const Actor& actor = actors_[d.actor];
    const int block = blockOf(d.actor);
    Event event = {};
    event.index = i;
    event.actor = d.actor;
    event.place = d.place + (array == 's' ? 10 * block : 0);
    event.array = array;
    event.reads = reads;
    event.writes = writes;
    event.fenced = std::max(actor.fenced, blocks_[block].fenced);
    event.what = static_cast<What>(d.what);
    event.before = actor.knows;
    event.weakly = actor.weakly;
    all_.push_back(event);
    return all_.back();
}

// A volatile access or an atomic one, which shows its release and acquire by its name.
void Model::strong(int i, const NotedStep& d, Flag& flag, bool reads, bool writes) {
    Actor& actor = actors_[d.actor];
    const int b = blockOf(d.actor);
    const bool ofHand = &flag >= hands_ && &flag < hands_ + kHands;
    const bool acquires = d.what == LoadAcquire || d.what == AwaitAcquire;
    const bool releases = d.what == StoreRelease || d.what == HandRelease;
    if (reads && (ofHand || !certain_))
        (acquires ? actor.knows : actor.weakly) |= flag.all | flag.ofBlock[b];
    Event& event = access(i, d, ofHand ? 'h' : 'f', reads, writes);
    event.strong = true;
    event.atomic = d.what != LoadVolatile && d.what != StoreVolatile && d.what != AwaitVolatile;
    if (releases) event.fenced = 2;
    actor.knows.set(i);
    if (!writes) return;
    if (!reads) flag = {};
    flag.all |= actor.released[1] | blocks_[b].released[1];
    flag.ofBlock[b] |= actor.released[0] | blocks_[b].released[0];
    if (releases) flag.all |= actor.knows & ~Events().set(i);
}

// A copy acts like another thread, after all that its thread knows. No thread knows of it before
// that thread has waited for its group, or for the phase that it is bound to.
void Model::copy(int i, const NotedStep& d) {
    access(i, d, 'g', true, false).copy = true;
    access(i, d, 's', false, true).copy = true;
    (d.what == Copy ? actors_[d.actor].open : actors_[d.actor].bound).set(i);
}

void Model::waitForGroups(Actor& actor, std::size_t but) {
    for (std::size_t group = 0; group + but < actor.groups.size(); ++group)
        actor.knows |= actor.groups[group];
}

// The last thread that comes lets all go on.
void Model::arrive(int i, const NotedStep& d) {
    actors_[d.actor].knows.set(i);
    std::vector<int>& waiting = waiting_[blockOf(d.actor)][d.what];
    waiting.push_back(d.actor);
    const bool ofBlock = d.what == Barrier || d.what == BarrierObject;
    const std::size_t wanted = ofBlock ? kActors : d.what == SyncWarp ? 3 : 2;
    if (waiting.size() < wanted) return;
    Events all;
    for (const int one : waiting) {
        all |= actors_[one].knows | actors_[one].weakly;
        if (d.what != BarrierObject) continue;
        all |= actors_[one].bound;
        actors_[one].bound.reset();
    }
    Actor& block = blocks_[blockOf(d.actor)];
    for (const int one : waiting) {
        actors_[one].knows = all;
        actors_[one].weakly.reset();
        if (!ofBlock) continue;
        block.fenced = std::max(block.fenced, actors_[one].fenced);
        for (int scope = 0; scope < 2; ++scope) {
            block.released[scope] |= actors_[one].released[scope];
            actors_[one].released[scope].reset();
        }
    }
    waiting.clear();
}

void Model::step(int i, const NotedStep& d) {
    Actor& actor = actors_[d.actor];
    switch (d.what) {
        case LoadShared:
        case StoreShared:
            access(i, d, 's', d.what == LoadShared, d.what == StoreShared);
            break;
        case LoadGlobal:
        case StoreGlobal:
            access(i, d, 'g', d.what == LoadGlobal, d.what == StoreGlobal);
            break;
        case LoadSame:
        case StoreSame:
            access(i, d, 'e', d.what == LoadSame, d.what == StoreSame);
            break;
        case LoadFlag:
            access(i, d, 'f', true, false);
            break;
        case CompareAndSwap:
            access(i, d, 'f', true, false).guess = true;
            return strong(i, d, flags_[d.place], true, true);
        case Add:
        case Exchange:
            return strong(i, d, flags_[d.place], true, true);
        case LoadVolatile:
        case LoadAcquire:
            return strong(i, d, flags_[d.place], true, false);
        case StoreVolatile:
        case StoreRelease:
            return strong(i, d, flags_[d.place], false, true);
        case AwaitVolatile:
        case AwaitAcquire:
            return strong(i, d, hands_[d.place], true, false);
        case HandExchange:
            return strong(i, d, hands_[d.place], true, true);
        case HandRelease:
            return strong(i, d, hands_[d.place], false, true);
        case Fence:
        case FenceOfBlock:
            actor.knows |= actor.weakly;
            actor.weakly.reset();
            actor.fenced = std::max(actor.fenced, d.what == Fence ? 2 : 1);
            actor.released[0] = actor.knows;
            if (d.what == Fence) actor.released[1] = actor.knows;
            break;
        case Copy:
        case CopyBound:
            return copy(i, d);
        case Commit:
            actor.groups.push_back(actor.open);
            actor.open.reset();
            break;
        case WaitForAll:
        case WaitButOne:
            waitForGroups(actor, d.what == WaitForAll ? 0 : 1);
            break;
        case Barrier:
        case BarrierObject:
        case SyncWarp:
        case SyncHalf:
            return arrive(i, d);
    }
    actor.knows.set(i);
}

}  // namespace random_kernel
