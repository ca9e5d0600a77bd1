#include "simulator/observers/warps.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace cusim {
namespace {

constexpr std::uint32_t kLanes = 32;
constexpr std::uintptr_t kSector = 32;  // bytes
constexpr std::uintptr_t kLine = 128;   // bytes
constexpr std::uintptr_t kBanks = 32;   // of 4-byte words
constexpr std::size_t kNotSorted = SIZE_MAX;

std::size_t distinct(std::vector<std::uintptr_t>& values) {
    std::sort(values.begin(), values.end());
    return static_cast<std::size_t>(std::unique(values.begin(), values.end()) - values.begin());
}

// Returns how many different units of 1 << shift bytes the bytes of a request touch. Needs no
// sorting if the lanes go upwards through memory, as they mostly do; returns kNotSorted otherwise.
template <class Request>
std::size_t unitsTouched(const Request& request, int shift) {
    std::uintptr_t next = 0;  // after the last unit seen
    std::size_t units = 0;
    for (const auto* item : request) {
        const std::uintptr_t first = item->address >> shift;
        const std::uintptr_t last = (item->address + item->bytes - 1) >> shift;
        if (first + 1 < next) return kNotSorted;
        if (last + 1 > next) {
            units += last + 1 - std::max(first, next);
            next = last + 1;
        }
    }
    return units;
}

// The same in any order, by one bit per unit; returns kNotSorted if the units are too far apart.
template <class Request>
std::size_t unitsNearby(const Request& request, int shift) {
    std::uintptr_t lowest = UINTPTR_MAX, highest = 0;
    for (const auto* item : request) {
        lowest = std::min(lowest, item->address >> shift);
        highest = std::max(highest, (item->address + item->bytes - 1) >> shift);
    }
    std::array<std::uint64_t, 32> bits;
    const std::uintptr_t words = (highest - lowest) / 64 + 1;
    if (words > bits.size()) return kNotSorted;
    std::fill_n(bits.begin(), words, 0);
    for (const auto* item : request)
        for (std::uintptr_t u = (item->address >> shift) - lowest;
             u <= ((item->address + item->bytes - 1) >> shift) - lowest; ++u)
            bits[u / 64] |= std::uint64_t{1} << u % 64;
    std::size_t units = 0;
    for (std::uintptr_t i = 0; i < words; ++i)
        units += static_cast<std::size_t>(__builtin_popcountll(bits[i]));
    return units;
}

// Tests that no bank has to serve two different words.
template <class Request>
bool freeOfConflicts(const Request& request) {
    std::array<std::uintptr_t, kBanks> wordOf;
    wordOf.fill(UINTPTR_MAX);
    for (const auto* item : request) {
        const std::uintptr_t word = item->address / 4;
        if (item->bytes > 4 || (item->address + item->bytes - 1) / 4 != word) return false;
        std::uintptr_t& here = wordOf[word % kBanks];
        if (here != UINTPTR_MAX && here != word) return false;
        here = word;
    }
    return true;
}

template <class Item>
void addWords(const Item& item, std::vector<std::uintptr_t>& words) {
    for (std::uintptr_t w = item.address / 4; w <= (item.address + item.bytes - 1) / 4; ++w)
        words.push_back(w);
}

// Returns the most different words in one bank.
std::size_t mostInABank(std::vector<std::uintptr_t>& words) {
    words.resize(distinct(words));
    std::array<std::size_t, kBanks> perBank{};
    std::size_t most = 1;
    for (const std::uintptr_t word : words) most = std::max(most, ++perBank[word % kBanks]);
    return most;
}

// Tests whether lanes whose numbers differ in one bit access the same address.
template <class Request>
bool pairsAlike(const Request& request, std::uint8_t bit) {
    std::array<std::uintptr_t, kLanes> at{};
    for (const auto* item : request) at[item->lane] = item->address + 1;
    return std::all_of(request.begin(), request.end(), [&](const auto* item) {
        const std::uintptr_t other = at[item->lane ^ bit];
        return other == 0 || other == item->address + 1;
    });
}

}  // namespace

RequestCount& RequestCount::operator+=(const RequestCount& other) {
    for (const auto field :
         {&RequestCount::requests, &RequestCount::units, &RequestCount::conflicts,
          &RequestCount::plainUnits, &RequestCount::distinctBytes, &RequestCount::repeated,
          &RequestCount::repeatedUnits, &RequestCount::neighbouringUnits})
        this->*field += other.*field;
    return *this;
}

void add(RequestCounts& sum, const RequestCounts& more) {
    for (const int kind : {0, 1}) {
        sum.global[kind] += more.global[kind];
        sum.shared[kind] += more.shared[kind];
    }
}

void add(WarpReport& sum, const WarpReport& more) {
    for (const auto field :
         {&WarpReport::blocks, &WarpReport::globalRequests, &WarpReport::sectors,
          &WarpReport::idealSectors, &WarpReport::lines, &WarpReport::blockSectors,
          &WarpReport::sharedRequests, &WarpReport::sharedPasses, &WarpReport::sharedRows,
          &WarpReport::constantRequests, &WarpReport::constantPasses, &WarpReport::divergentWarps,
          &WarpReport::warps})
        sum.*field += more.*field;
}

void Warps::begin(std::vector<bool> constant, std::size_t sharedArrays) {
    total_ = {};
    requests_ = {};
    countsKinds_ = !options().counts.empty();
    global_.assign(constant.size(), {});
    constant_ = std::move(constant);
    shared_.assign(sharedArrays, {});
}

void Warps::beginBlock(std::uint32_t threads) {
    threads_ = threads;
    if (lanes_.size() < threads) lanes_.resize(threads);
    for (auto& lane : lanes_) lane.clear();
    sectors_.clear();
    sortedSectors_ = 0;
    dropped_ = false;
    const std::uint32_t warps = (threads + kLanes - 1) / kLanes;
    alive_.assign(warps, 0);
    diverged_.assign(warps, false);
    for (std::uint32_t t = 0; t < threads; ++t) alive_[t / kLanes] |= 1u << (t % kLanes);
}

void Warps::endBlock() {
    if (dropped_) return;
    total_.blockSectors += distinct(sectors_);
    ++total_.blocks;
    total_.warps += diverged_.size();
    total_.divergentWarps +=
        static_cast<std::uint64_t>(std::count(diverged_.begin(), diverged_.end(), true));
}

// Tests whether all lanes that had not returned executed the same accesses in the same order.
bool Warps::inStep(std::uint32_t first, std::uint32_t end) const {
    const std::vector<Item>* model = nullptr;
    for (std::uint32_t t = first; t < end; ++t) {
        if (!(alive_[first / kLanes] >> (t - first) & 1)) continue;
        const std::vector<Item>& lane = lanes_[t];
        if (!model) model = &lane;
        if (lane.size() != model->size()) return false;
        for (std::size_t i = 0; i < lane.size(); ++i)
            if (lane[i].instruction != (*model)[i].instruction) return false;
    }
    return true;
}

void Warps::endEpoch(std::uint32_t warp, std::uint32_t lanesLeft) {
    if (dropped_) return;
    const std::uint32_t first = warp * kLanes, end = std::min(first + kLanes, threads_);
    if (inStep(first, end)) {
        std::size_t length = 0;
        for (std::uint32_t t = first; t < end; ++t) length = std::max(length, lanes_[t].size());
        for (std::size_t i = 0; i < length; ++i) {
            request_.clear();
            for (std::uint32_t t = first; t < end; ++t)
                if (!lanes_[t].empty()) request_.push_back(&lanes_[t][i]);
            addRequest(request_);
        }
    } else {
        diverged_[warp] = true;
        std::map<std::pair<Instruction, std::uint32_t>, Request> requests;
        for (std::uint32_t t = first; t < end; ++t) {
            std::map<Instruction, std::uint32_t> executed;
            for (const Item& item : lanes_[t])
                requests[{item.instruction, executed[item.instruction]++}].push_back(&item);
        }
        for (const auto& [when, request] : requests) addRequest(request);
    }
    for (std::uint32_t t = first; t < end; ++t) {
        // Frees the memory that a long loop needed, because there are many lanes.
        if (lanes_[t].capacity() > 1024) lanes_[t] = {};
        lanes_[t].clear();
    }
    before_.clear();
    met_.clear();
    alive_[warp] = lanesLeft;
}

std::size_t Warps::distinctUnits(const Request& request, std::uintptr_t size) {
    const int shift = __builtin_ctzll(size);
    for (const auto count : {&unitsTouched<Request>, &unitsNearby<Request>})
        if (const std::size_t units = count(request, shift); units != kNotSorted) return units;
    std::vector<std::uintptr_t> all;
    for (const Item* item : request)
        for (std::uintptr_t u = item->address / size; u <= (item->address + item->bytes - 1) / size;
             ++u)
            all.push_back(u);
    return distinct(all);
}

// Returns the passes over the banks that a request takes, and those of them that are due to
// conflicts. 8- and 16-byte accesses are served for half and quarter warps at a time, so only words
// of such a group conflict (CUDA C++ Programming Guide, "Shared memory"). If it `joins` groups, as
// a card does for loads, it serves two of them at once if all lanes load the same as their
// neighbour, or as the lane after that one. This was measured on an H200, for 127 patterns.
Warps::Passes Warps::passes(const Request& request, bool joins) {
    std::size_t group = std::max<std::size_t>(
        1, std::size_t{kLanes} * 4 / std::max<std::size_t>(4, request.front()->bytes));
    if (joins && group < kLanes && (pairsAlike(request, 1) || pairsAlike(request, 2))) group *= 2;
    Passes result;
    std::vector<std::uintptr_t> words;
    for (auto next = request.begin(); next != request.end();) {
        words.clear();
        const std::size_t number = (*next)->lane / group;
        for (; next != request.end() && (*next)->lane / group == number; ++next)
            addWords(**next, words);
        const std::size_t most = mostInABank(words);
        result.all += most;
        result.conflicts += most - 1;
    }
    return result;
}

// Returns the requests into which constant memory splits this one: one for each different address
// (CUDA C++ Programming Guide, "Device memory accesses").
std::size_t Warps::distinctAddresses(const Request& request) {
    std::vector<std::uintptr_t> all;
    for (const Item* item : request)
        if (all.empty() || all.back() != item->address) all.push_back(item->address);
    return distinct(all);
}

// Returns the fewest rows of banks that a request takes, if no word is served twice.
std::size_t Warps::rows(const Request& request) {
    std::vector<std::uintptr_t> words;
    for (const Item* item : request) addWords(*item, words);
    return mostInABank(words);
}

// Tests whether an instruction accesses the addresses of its last execution: a compiler keeps such
// a value in a register.
bool Warps::again(const Request& request) {
    const std::pair now{request.front()->address, request.back()->address};
    return now == std::exchange(before_[request.front()->instruction], now);
}

void Warps::noteSectors(const Request& request) {
    constexpr std::size_t kMany = std::size_t{1} << 20;
    std::uintptr_t last = UINTPTR_MAX;
    for (const Item* item : request)
        for (std::uintptr_t s = item->address / kSector;
             s <= (item->address + item->bytes - 1) / kSector; ++s)
            if (s != last) sectors_.push_back(last = s);
    if (sectors_.size() > sortedSectors_ + kMany) {
        sectors_.resize(distinct(sectors_));
        sortedSectors_ = sectors_.size();
    }
}

void Warps::addRequest(const Request& request) {
    const bool isShared = request.front()->arrayAndSpace & 1;
    const std::uint32_t array = request.front()->arrayAndSpace >> 1;
    WarpReport one;
    if (isShared) {
        one.sharedRequests = 1;
        const bool free = freeOfConflicts(request);
        one.sharedPasses = free ? 1 : 1 + passes(request, false).conflicts;
        one.sharedRows = again(request) ? 0 : free ? 1 : rows(request);
    } else if (constant_[array]) {
        one.constantRequests = 1;
        one.constantPasses = distinctAddresses(request);
    } else {
        one.globalRequests = 1;
        one.sectors = distinctUnits(request, kSector);
        one.lines = distinctUnits(request, kLine);
        noteSectors(request);
        // Counts whole words, because narrower accesses are rare; a word of several lanes counts
        // once.
        one.idealSectors = (distinctUnits(request, 4) * 4 + kSector - 1) / kSector;
    }
    add((isShared ? shared_ : global_)[array], one);
    add(total_, one);
    if (countsKinds_ && one.constantRequests == 0) countAlike(request, one);
}

// Counts a request among the loads or stores of its memory.
void Warps::countAlike(const Request& request, const WarpReport& one) {
    const Item &first = *request.front(), &last = *request.back();
    const bool isShared = first.arrayAndSpace & 1;
    RequestCount count;
    const bool stores = kindOf(first.instruction) == AccessKind::Store;
    if (isShared && first.copy) return;  // a card counts these stores separately
    const Passes overBanks = isShared ? passes(request, !stores) : Passes{};
    count.requests = 1;
    count.units = isShared ? overBanks.all : one.sectors;
    count.conflicts = overBanks.conflicts;
    if (!first.copy) {
        count.plainUnits = count.units;
        count.distinctBytes = 4 * distinctUnits(request, 4);
    }
    // Hashes the request moved by `by` bytes; multiplies by odd numbers, as FNV does.
    const auto moved = [&](std::uintptr_t by) {
        constexpr std::uint64_t prime = 0x100000001b3;
        const std::uint64_t ends = (first.address + by) * prime ^ (last.address + by);
        return (ends * prime ^ first.arrayAndSpace) * prime ^ request.size();
    };
    if (!met_.insert(moved(0)).second)
        count.repeated = 1, count.repeatedUnits = count.units;
    else if (met_.count(moved(first.bytes)) || met_.count(moved(-std::uintptr_t{first.bytes})))
        count.neighbouringUnits = count.units;
    (isShared ? requests_.shared : requests_.global)[stores] += count;
}

}  // namespace cusim
