// Judges the races of one launch by CUDA's memory model (PTX ISA, "Memory Consistency Model"):
// which of its accesses barriers, __syncwarp, fences and atomics order. The race check (races.h)
// knows barriers alone and is fast; if it suspects a race, the launch runs once more for this
// one, on one host thread, so that values and order are exact.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "simulator/memory/access.h"
#include "simulator/observers/observer.h"
#include "simulator/observers/race_log.h"

namespace cusim {

class HappensBefore final : public Observer {
  public:
    // Judges accesses to the arrays of these races.
    explicit HappensBefore(const RaceLog& suspected);

    void access(const SeenAccess& seen) override;
    // Treats an asynchronous copy as an access of another thread, copierOf(thread). It comes after
    // all earlier accesses of the thread, and before those after the thread's wait for the copy.
    static std::uint16_t copierOf(std::uint16_t thread) { return thread + kMostThreads; }
    void beginCopy(std::uint32_t block, std::uint16_t thread, std::uint32_t number) override;
    void copyBegun() override { flush(); }
    void waitForCopy(std::uint32_t block, std::uint16_t thread, std::uint16_t copying,
                     std::uint32_t number) override;
    void fence(std::uint32_t block, std::uint16_t thread, Scope scope) override;
    void meet(std::uint32_t block, bool atBarrier) override;
    void syncWarp(std::uint32_t block, std::uint32_t first, unsigned lanes) override;
    void syncGrid() override;
    // Called, too, before another block's shared memory takes the place of the running one's.
    void leave() override { flush(); }
    // Ends the launch: returns the races, each pair of instructions with its most severe reason.
    RaceLog races();

    // Plain reads beside stores of one value, by word and instruction: the last thread that raced
    // there, and which values it got.
    struct Got {
        std::uint32_t block;
        std::uint16_t thread;
        std::set<std::uint32_t> values;
    };
    using Reads = std::map<std::pair<std::uint64_t, Instruction>, Got>;
    const Reads& readsOfOneValue() const { return harmless_; }
    // From now on notes which values these threads get.
    void watch(const Reads& reads) {
        watched_ = reads;
        for (auto& [read, got] : watched_) got.values.clear();
    }
    // Tests whether each instruction got another value now, at one word at least: a thread that
    // reads between two that store comes after one of them in either order.
    bool gotOthersThan(const Reads& before) const;

  private:
    static constexpr std::uint16_t kMostThreads = 1024;  // of a block
    static bool isCopier(std::uint16_t thread) { return thread >= kMostThreads; }

    // What a thread knows to have happened: in `block`, everything before its barrier number
    // `epoch`; in each of `threads`, everything before that time; and what `from` knew.
    struct Known {
        std::uint32_t block = 0, epoch = 0;
        std::vector<std::pair<std::uint16_t, std::uint32_t>> threads = {};
        std::vector<const Known*> from = {};
        std::size_t number = 0;  // in the order in which they were made
    };
    // How a thread knows it: by the model's rules, or without the fence that the reader needs.
    enum Level { Formal, WithoutAcquire, kLevels };
    // The words that were read last by an atomic or volatile access.
    using ReadWords = std::vector<std::uint64_t>;
    struct Thread {
        std::uint32_t time = 0;  // number of its fences
        const Known* known[kLevels] = {};
        // The last knowledge from all, and from its block: a loop that waits gets it again.
        const Known* last[kLevels][2] = {};
        const Known* released[2] = {};  // by its last fence, by Scope
        ReadWords readWords;
    };
    struct Block {
        std::uint32_t epoch = 1;
        const Known* known = nullptr;
        const Known* released[2] = {};  // by fences of its threads before a barrier, by Scope
        ReadWords readWords;            // by its threads before a barrier
        std::vector<Thread> threads;
    };
    using PlaceOfRace = std::tuple<std::uint64_t, std::uint32_t, std::uint32_t, RacePair>;
    struct Record {
        std::uint32_t block, epoch, time;
        std::uint16_t thread;
        std::uint8_t mask;   // the bytes of the word
        std::uint8_t bytes;  // of the access
        bool reads, writes, atomic, strong, ofBlock;
        std::uint8_t fenced;  // a store after a fence: 1 of the block, 2 of the device
        Instruction instruction;
        std::uint32_t value;
        std::size_t made;      // Known::number of the first Known that may include it
        std::uint64_t number;  // in the order of all accesses
    };
    // Whether each Known includes an access, by Known::number from `first` on. Each is searched
    // once, because none changes.
    enum Answer : std::uint8_t { Open, No, Yes };
    struct Answers {
        std::size_t first = 0;
        std::vector<Answer> of = {};
    };
    // The records of one block that differ only in thread, time and value, in their order; and such
    // groups of all blocks, none of them empty. An access is compared with one record of a group,
    // not with all, so that many threads at one word cost no more each than a few.
    using Group = std::vector<Record>;
    using Groups = std::vector<Group>;
    struct Word {
        std::vector<Record> few;             // in their order
        std::vector<Groups> many;            // instead of these
        std::size_t size = 0, lastSize = 0;  // now, and when reads were forgotten last
        // The value of all stores since the last one that all threads knew of.
        std::uint32_t value = 0;
        bool stored = false, differ = false;
        // Whether all stores of the launch write one value, and whether that changes the word.
        bool one = true, changed = false;
        std::int64_t first = -1;
        bool hasOneStore() const;  // at most
        // To threads that read it by an atomic or volatile access: to all, and to one block only.
        const Known* handed = nullptr;
        std::unique_ptr<std::map<std::uint32_t, const Known*>> handedInBlock;
        // The blocks that have stored it by such an access, with its instruction.
        std::unique_ptr<std::map<std::uint32_t, Instruction>> releasers;
    };
    // What the last store has left in a word.
    struct StoredWord {
        std::uint64_t at;
        Record* record;
        std::size_t skipped;
    };
    // A conflict that is judged later: two stores after the second one's value is known, a plain
    // read beside an atomic or a store at the end of the launch.
    struct Suspect {
        Record before;
        std::uint64_t word;
        RacePair pair;
        RaceExample example;
        Instruction reads;
        PlaceOfRace place;
    };

    // An access to the bytes of a word from `skipped` on.
    struct Access {
        const SeenAccess& seen;
        std::uint64_t at;
        Word& word;
        std::size_t skipped;
        Record now;
        bool full;  // it is time to forget reads
    };

    void flush();  // reads the value of the last store
    bool isSuspected(const SeenAccess& one) const;
    static std::uint32_t valueAt(const SeenAccess& one, const void* bytes, std::size_t skipped);
    Block& blockOf(std::uint32_t block);
    Thread& threadOf(std::uint32_t block, std::uint16_t thread);
    const Known* add(Known known);
    void learn(Thread& thread, Level level, const Known* what, bool ofBlock = false);
    static bool includes(const Known& one, const Record& what);
    Answers& answersOn(const Record& what);
    bool covers(const Known* known, const Record& what);
    int levelOf(const Record& before, const SeenAccess& now);
    static bool isSet(const Record& before, const Record& now);
    const Known* ownKnown(std::uint32_t block, std::uint16_t thread);
    static void noteWord(ReadWords& readWords, std::uint64_t word);
    Instruction toldBy(const Record& before, const Record& record, const SeenAccess& now) const;
    void handOver(const SeenAccess& one, Word& word, Thread& thread);
    static bool inTurn(const Record& before, const Record& now);
    static bool areStrong(const Record& before, const Record& now);
    static bool areFlags(const Record& before, const Record& now);
    static bool conflict(const Record& before, const Record& now);
    static bool endsTurn(const Record& before, const Record& now);
    static bool isMine(const Record& before, const Access& access);
    static bool follows(const Record& before, const Access& access);
    RacePair pairOf(const Record& before, const SeenAccess& seen) const;
    PlaceOfRace placeOf(const Record& before, const Access& access);
    bool isKnownRace(const Record& before, const Access& access);
    Record recordOf(const SeenAccess& one, std::uint8_t mask, std::size_t skipped);
    void touchWord(const SeenAccess& one, std::uint64_t at, std::uint8_t mask, std::size_t skipped);
    void confirmGuess(const Access& access);
    void compare(Groups& groups, const Access& access);
    bool isOpen(const Record& before, const Access& access);
    static bool isPast(const Record& before, const Access& access);
    struct Judged {
        bool unordered, goes;
    };
    Judged judgeOne(const Record& before, const Access& access);
    bool judgeFirst(Group& group, const Access& access);
    bool judgeLast(const Group& group, const Access& access);
    void forgetMine(Group& group, const Access& access);
    static Record* keep(Word& word, const Record& now);
    static Record* addTo(std::vector<Groups>& many, const Record& now);
    // The conditions in the rows of the README's table.
    static bool isFlagWithoutFence(const Record& before, const Record& now, int level);
    static bool isBesideAtomic(const Record& before, const Record& now);
    static bool areStores(const Record& before, const Record& now);
    static bool areVolatile(const Record& before, const Record& now);
    static bool isBesideStore(const Record& before, const Access& access);
    static bool isUnderWay(const Record& before, const Access& access);
    Suspect suspectOf(const Record& before, const Access& access, int level);
    void noteRead(const Record& reader, std::uint64_t word);
    void judge(const Record& before, const Access& access, int level);
    void noteValue(Word& word, std::uint32_t value, std::size_t skipped);
    void judgeStores(Suspect& one, std::uint32_t value, bool differ);
    void judgeRead(Suspect& one);

    std::vector<bool> suspected_[2];  // arrays of device memory, and of shared memory
    std::deque<Known> all_;           // of the launch
    std::unordered_map<std::uint32_t, std::unique_ptr<Block>> blocks_;
    std::unordered_map<std::uint64_t, Word> words_;
    std::map<std::array<std::uint32_t, 4>, Answers> answers_;  // by what covers() asks for
    std::size_t answered_ = 0;                                 // the bytes of all
    Answers few_;                                              // of the current search
    // The path of that search, and the index of the next `from` of each.
    std::vector<std::pair<const Known*, std::size_t>> open_;
    std::uint64_t touches_ = 0;
    const Known* knownBefore_ = nullptr;  // WithoutAcquire, by the thread before this access
    const void* storedAt_ = nullptr;      // of the last store, until its value is known
    std::vector<StoredWord> storedWords_;
    SeenAccess lastStore_;
    unsigned char replaced_[16] = {};  // by the last store
    std::vector<Suspect> stores_;
    std::vector<Suspect> guesses_;
    std::vector<Suspect> reads_;         // beside plain stores to device memory
    Reads beside_, harmless_, watched_;  // plain stores; of one value; in an earlier launch
    // Plain reads whose value was only the first guess of a compare-and-swap.
    std::set<Instruction> confirmed_;
    std::map<PlaceOfRace, RaceReason> counted_;  // the most severe one of each place
    RaceLog log_;
};

}  // namespace cusim
