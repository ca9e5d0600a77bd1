// The race check's memory: a cell per 4-byte word of a range. A cell holds two parties; more are
// rare and kept elsewhere. A range that is accessed in smaller pieces changes to a cell per byte.
#pragma once

#include <sys/mman.h>

#include <map>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "simulator/findings/give_up.h"
#include "simulator/observers/race_cell.h"

namespace cusim {

template <class P>
class RaceCells {
  public:
    explicit RaceCells(std::size_t bytes) : bytes_(bytes) {
        cells_ = map(count());
        stretches_.resize(count() / kPart / kParts + 1);
    }
    ~RaceCells() { unmap(cells_, count()); }
    RaceCells(const RaceCells&) = delete;
    RaceCells& operator=(const RaceCells&) = delete;

    // Begins a launch: cells last used before this epoch count as empty.
    void begin(std::uint32_t firstEpoch) {
        firstEpoch_ = firstEpoch;
        used_.clear();
        suspects_.clear();
        more_.clear();
    }

    // Notes an access.
    __attribute__((always_inline)) void access(std::size_t offset, std::size_t bytes,
                                               Instruction instruction, const Actor& actor) {
        if (__builtin_expect(shift_ == 2 && ((offset | bytes) & 3) == 0, 1)) {
            touch(offset >> 2, instruction, actor);
            for (std::size_t more = 4; more < bytes; more += 4)
                touch((offset + more) >> 2, instruction, actor);
            return;
        }
        accessBytes(offset, bytes, instruction, actor);
    }

    // Adds blocks from lowest to highest that have made an access to a word in earlier epochs.
    void meet(std::size_t offset, Instruction instruction, std::uint32_t lowest,
              std::uint32_t highest) {
        for (std::size_t i = offset >> shift_; i <= (offset + 3) >> shift_; ++i) {
            Cell& cell = cells_[i];
            if (cell.epoch < firstEpoch_) {
                noteUse(i);
                cell = Cell{};
                cell.epoch = firstEpoch_;
            }
            P party{};
            party.key = P::keyOf(instruction, 0);
            party.deactivate();
            P& found = findOrAdd(cell, i, party);
            found.meet(lowest);
            found.meet(highest);
            cell.written |= found.writes();
        }
    }

    // Calls report(offset, instruction, instruction, thread, thread) for each word on which two
    // threads of the block have conflicted since the last call. Called at each barrier and at the
    // block's end.
    template <class Report>
    void endEpoch(Report report) {
        if (suspects_.empty()) return;
        // Counts by word even if cells are bytes, so that counts do not depend on the cells.
        // Keeps the lowest of the word's bytes, because a word may hold the end of one array and
        // the start of another.
        std::map<std::tuple<std::size_t, Instruction, Instruction>,
                 std::tuple<std::size_t, std::uint16_t, std::uint16_t>>
            found;
        for (const std::size_t i : suspects_) {
            cells_[i].suspect = false;
            const std::vector<P> all = parties(i);
            for (std::size_t a = 0; a < all.size(); ++a)
                for (std::size_t b = a; b < all.size(); ++b) {
                    if (!all[a].active() || !all[b].active()) continue;
                    // Ordered by key, so that the result does not depend on which access came
                    // first.
                    const bool swapped = all[b].key < all[a].key;
                    const P& low = swapped ? all[b] : all[a];
                    const P& high = swapped ? all[a] : all[b];
                    const auto threads = conflict(low, high);
                    if (!threads) continue;
                    const auto key =
                        std::make_tuple((i << shift_) / 4, low.instruction(), high.instruction());
                    const auto one = std::make_tuple(i << shift_, threads->first, threads->second);
                    const auto [place, isNew] = found.emplace(key, one);
                    if (!isNew) place->second = std::min(place->second, one);
                }
        }
        suspects_.clear();
        for (const auto& [key, one] : found)
            report(std::get<0>(one), std::get<1>(key), std::get<2>(key), std::get<1>(one),
                   std::get<2>(one));
    }

    bool byByte() const { return shift_ == 0; }
    std::size_t bytes() const { return bytes_; }

    // The range of blocks that have accessed a cell since the launch began, and whether one wrote.
    // Used for ranges that all blocks share.
    struct Visitors {
        std::uint32_t lowestBlock = UINT32_MAX, highestBlock = 0;
        bool written = false;
    };
    void addVisitors(std::size_t i, Visitors& all) const {
        const Cell& cell = cells_[i];
        if (!used(i)) return;
        const auto add = [&](const P& party) {
            all.lowestBlock = std::min(all.lowestBlock, party.lowestBlock);
            all.highestBlock = std::max(all.highestBlock, party.highestBlock);
            all.written |= party.writes();
        };
        for (int p = 0; p < std::min<int>(cell.parties, 2); ++p) add(cell.party[p]);
        if (cell.parties > 2)
            for (const P& party : more_.at(i)) add(party);
    }
    bool used(std::size_t i) const {
        return usedPart(i / kPart) && cells_[i].epoch >= firstEpoch_ && cells_[i].parties > 0;
    }
    std::vector<P> parties(std::size_t i) const {
        const Cell& cell = cells_[i];
        std::vector<P> all(cell.party, cell.party + std::min<int>(cell.parties, 2));
        if (cell.parties > 2) {
            const std::vector<P>& others = more_.at(i);
            all.insert(all.end(), others.begin(), others.end());
        }
        return all;
    }

    // Calls visit(offset, parties) for each cell that the launch has used.
    template <class Visit>
    void forEach(Visit visit) const {
        forEachUsed({this}, [&](std::size_t i, const auto&) { visit(i << shift_, parties(i)); });
    }
    // Calls visit(i, users) for each cell that some of `all` have used; `users` may have used it.
    // The cells of all must be of the same kind.
    template <class Visit>
    static void forEachUsed(const std::vector<const RaceCells*>& all, Visit visit) {
        std::vector<std::size_t> stretches;
        for (const RaceCells* one : all)
            stretches.insert(stretches.end(), one->used_.begin(), one->used_.end());
        std::sort(stretches.begin(), stretches.end());
        stretches.erase(std::unique(stretches.begin(), stretches.end()), stretches.end());
        std::vector<const RaceCells*> users;
        for (const std::size_t stretch : stretches)
            for (std::size_t part = stretch * kParts; part < (stretch + 1) * kParts; ++part) {
                users.clear();
                for (const RaceCells* one : all)
                    if (one->usedPart(part)) users.push_back(one);
                const auto uses = [&](std::size_t i) {
                    return std::any_of(users.begin(), users.end(),
                                       [&](const RaceCells* one) { return one->used(i); });
                };
                if (users.empty()) continue;
                const std::size_t end = std::min((part + 1) * kPart, users[0]->count());
                for (std::size_t i = part * kPart; i < end; ++i)
                    if (uses(i)) visit(i, users);
            }
    }

  private:
    struct Cell {
        std::uint32_t epoch;
        std::uint16_t parties;
        bool written;  // by any of the parties
        bool suspect;  // it is in suspects_
        P party[2];
    };

    // Cells are searched by groups of this many parts, because each page read costs a page fault.
    static constexpr std::size_t kPart = 64, kParts = 16;  // cells, parts
    struct Stretch {
        std::uint32_t lastUse;  // the first epoch of the launch that used it last
        std::uint16_t parts;    // those that the launch used, one bit per part
    };
    bool usedPart(std::size_t part) const {
        const Stretch& stretch = stretches_[part / kParts];
        return stretch.lastUse == firstEpoch_ && (stretch.parts >> part % kParts & 1) != 0;
    }

    std::size_t count() const { return (bytes_ >> shift_) + 1; }

    void noteUse(std::size_t i) {
        Stretch& stretch = stretches_[i / kPart / kParts];
        if (stretch.lastUse != firstEpoch_) {
            stretch = {firstEpoch_, 0};
            used_.push_back(i / kPart / kParts);
        }
        stretch.parts = static_cast<std::uint16_t>(stretch.parts | 1 << i / kPart % kParts);
    }

    // Maps zero pages, which take no memory until they are used; epoch 0 precedes every launch.
    static Cell* map(std::size_t count) {
        void* const range = mmap(nullptr, count * sizeof(Cell), PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (range == MAP_FAILED) giveUp("no memory for the race check; use smaller matrices");
        madvise(range, count * sizeof(Cell), MADV_DONTFORK);  // a child process runs host code
        return static_cast<Cell*>(range);
    }
    static void unmap(Cell* cells, std::size_t count) { munmap(cells, count * sizeof(Cell)); }

    __attribute__((always_inline)) void touch(std::size_t i, Instruction instruction,
                                              const Actor& actor) {
        Cell& cell = cells_[i];
        P& first = cell.party[0];
        if (__builtin_expect(cell.epoch == actor.epoch && !cell.written &&
                                 first.key == P::keyOf(instruction, actor.warpEpoch),
                             1))
            first.join(actor);
        else if (!P::kKeepsBlocks && cell.epoch != actor.epoch)
            fill(cell, i, instruction, actor);
        else
            touchSlowly(i, instruction, actor);
    }

    // Notes the first access to a cell.
    __attribute__((always_inline)) void fill(Cell& cell, std::size_t i, Instruction instruction,
                                             const Actor& actor) {
        noteUse(i);
        cell.epoch = actor.epoch;
        cell.parties = 1;
        P& first = cell.party[0];
        first = {};
        first.key = P::keyOf(instruction, actor.warpEpoch);
        first.restart(actor);
        cell.written = first.writes();
        cell.suspect = false;
    }

    __attribute__((noinline)) void touchSlowly(std::size_t i, Instruction instruction,
                                               const Actor& actor) {
        Cell& cell = cells_[i];
        if (cell.epoch != actor.epoch) {
            renew(cell, actor);
            if (cell.parties == 0) return fill(cell, i, instruction, actor);
            noteUse(i);
        }
        P made{};
        made.key = P::keyOf(instruction, actor.warpEpoch);
        made.restart(actor);
        P& found = findOrAdd(cell, i, made);
        if (found.active())
            found.join(actor);
        else
            found.restart(actor);
        cell.written |= found.writes();
        if (cell.written && !cell.suspect) suspect(i);
    }

    __attribute__((noinline)) void accessBytes(std::size_t offset, std::size_t bytes,
                                               Instruction instruction, const Actor& actor) {
        if (shift_ != 0) changeToBytes();
        for (std::size_t i = offset; i != offset + bytes; ++i) touch(i, instruction, actor);
    }

    void renew(Cell& cell, const Actor& actor) {
        const bool stale = cell.epoch < firstEpoch_ || !P::kKeepsBlocks;
        cell.epoch = actor.epoch;
        cell.suspect = false;
        if (stale) {
            cell.parties = 0;
            return;
        }
        for (P& party : cell.party) party.deactivate();
        if (cell.parties > 2)
            for (P& party : more_[static_cast<std::size_t>(&cell - cells_)]) party.deactivate();
    }

    // Returns the cell's party of the same accesses; adds `made` if there is none.
    P& findOrAdd(Cell& cell, std::size_t i, const P& made) {
        const auto same = [&](const P& party) { return (party.key | 1) == (made.key | 1); };
        for (int p = 0; p < std::min<int>(cell.parties, 2); ++p)
            if (same(cell.party[p])) return cell.party[p];
        if (cell.parties < 2) return cell.party[cell.parties++] = made;
        std::vector<P>& others = more_[i];
        if (cell.parties == 2) others.clear();
        for (P& party : others)
            if (same(party)) return party;
        ++cell.parties;
        others.push_back(made);
        return others.back();
    }

    // Adds the cell to the suspects if several threads have accessed it since the last barrier.
    void suspect(std::size_t i) {
        Cell& cell = cells_[i];
        if (cell.parties == 1 && cell.party[0].oneThread()) return;
        cell.suspect = true;
        suspects_.push_back(i);
    }

    void changeToBytes() {
        const std::size_t words = count();
        Cell* const old = cells_;
        std::unordered_map<std::size_t, std::vector<P>> oldMore;
        oldMore.swap(more_);
        shift_ = 0;
        cells_ = map(count());
        std::vector<std::size_t> oldSuspects, oldUsed;
        oldSuspects.swap(suspects_);
        oldUsed.swap(used_);
        constexpr std::size_t kStretch = kPart * kParts;
        stretches_.assign(count() / kStretch + 1, {});
        for (const std::size_t stretch : oldUsed)
            for (std::size_t word = stretch * kStretch;
                 word < std::min((stretch + 1) * kStretch, words); ++word) {
                if (old[word].epoch < firstEpoch_) continue;
                for (std::size_t byte = word * 4; byte < word * 4 + 4 && byte < count(); ++byte) {
                    noteUse(byte);
                    cells_[byte] = old[word];
                    if (old[word].parties > 2) more_[byte] = oldMore[word];
                }
            }
        for (const std::size_t word : oldSuspects)
            for (std::size_t byte = word * 4; byte < word * 4 + 4; ++byte)
                suspects_.push_back(byte);
        unmap(old, words);
    }

    Cell* cells_ = nullptr;
    std::size_t bytes_;
    int shift_ = 2;
    std::uint32_t firstEpoch_ = 1;
    std::vector<Stretch> stretches_;
    std::vector<std::size_t> used_;  // by this launch
    std::vector<std::size_t> suspects_;
    std::unordered_map<std::size_t, std::vector<P>> more_;
};

}  // namespace cusim
