#include "simulator/engine/waits.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "simulator/engine/faults.h"
#include "simulator/engine/runtime.h"
#include "simulator/memory/byte_marks.h"

namespace cusim {
namespace {

// Returns where marks end that are the same.
std::size_t endOfMarks(const std::uint8_t* marks, std::size_t begin, std::size_t count) {
    const std::uint64_t same = 0x0101010101010101ull * marks[begin];
    std::size_t at = begin;
    for (std::uint64_t eight; at + sizeof eight <= count; at += sizeof eight) {
        std::memcpy(&eight, marks + at, sizeof eight);
        if (eight != same) break;
    }
    while (at < count && marks[at] == marks[begin]) ++at;
    return at;
}

// Returns the bytes that are marked, up to so many pieces.
std::vector<Piece> markedPieces(const Allocation& allocation) {
    constexpr std::size_t kMost = std::size_t{1} << 16;
    std::vector<Piece> pieces;
    const auto add = [&](std::size_t begin, std::size_t end) {
        if (!pieces.empty() && pieces.back().end == begin)
            pieces.back().end = end;
        else
            pieces.push_back({begin, end});
    };
    const std::size_t words = (allocation.bytes + 3) / 4;
    for (std::size_t word = 0; word < words && pieces.size() < kMost;) {
        const std::uint8_t mark = allocation.stored[word];
        const std::size_t end = endOfMarks(allocation.stored, word, words);
        if (mark == kWholeWord) add(4 * word, std::min(4 * end, allocation.bytes));
        if (mark == kWholeWord || mark == 0) word = end;
        for (; word < end && pieces.size() < kMost; ++word)
            for (std::size_t byte = 0; byte < 4; ++byte)
                if ((mark >> byte & 1) != 0) add(4 * word + byte, 4 * word + byte + 1);
    }
    return pieces;
}

}  // namespace

Waits& Waits::instance() {
    static auto* const waits = new Waits;  // outlives static destructors
    return *waits;
}

void Waits::join(Clock& clock, const Clock& other) {
    for (const auto& [stream, work] : other) clock[stream] = std::max(clock[stream], work);
}

// Orders what comes next in a stream behind the default stream, or behind all that block it.
Waits::Clock& Waits::enter(const StreamStep& step) {
    Clock& own = streams_[step.stream];
    if (step.nonBlocking) {
        nonBlocking_.insert(step.stream);
    } else if (step.stream != 0) {
        join(own, streams_[0]);
    } else {
        for (const auto& [stream, clock] : streams_)
            if (nonBlocking_.count(stream) == 0) join(own, clock);
    }
    return own;
}

void Waits::note(const StreamStep& step) {
    const Runtime::Turn turn;
    if (ClosedPages::instance().empty()) {
        streams_.clear();
        events_.clear();
        host_.clear();
        return;
    }
    if (step.what != StreamStep::HostWaits) {
        Clock& own = enter(step);
        if (step.what == StreamStep::StreamWaits) join(own, events_[step.event]);
        if (step.what == StreamStep::Record) events_[step.event] = own;
        return;
    }
    if (step.event >= 0)
        join(host_, events_[step.event]);
    else if (step.stream >= 0)
        join(host_, step.stream == 0 ? enter(step) : streams_[step.stream]);
    ClosedPages::instance().forget([&](const Work& work) {
        return (step.stream < 0 && step.event < 0) || work.number <= host_[work.stream];
    });
}

std::shared_ptr<const Work> Waits::begin(std::string name, const Place& at,
                                         const StreamStep& step) {
    useAlternateSignalStack();
    enter(step)[step.stream] = ++last_;
    return std::make_shared<Work>(Work{std::move(name), at, step.stream, last_});
}

void Waits::noteStored(const std::shared_ptr<const Work>& work, const Allocation& allocation) {
    noteUse(work, allocation, true, markedPieces(allocation));
}

void Waits::noteUse(const std::shared_ptr<const Work>& work, const Allocation& allocation,
                    bool writes, std::vector<Piece> pieces) {
    if (!pieces.empty()) ClosedPages::instance().add(allocation, {work, writes, std::move(pieces)});
}

bool Waits::letGoOn(const void* address, const std::function<Place()>& place) {
    ClosedPages& pages = ClosedPages::instance();
    // A child may have been made while another thread had its turn.
    std::optional<Runtime::Turn> turn;
    if (pages.areOwn()) turn.emplace();
    const Allocation* const allocation = DeviceMemory::instance().find(address);
    if (!allocation || !allocation->live || !allocation->hostMayAccess()) return false;
    const auto use = pages.openAt(reinterpret_cast<std::uintptr_t>(address));
    // Where nothing was closed, another thread has opened it; else it is no page that raised this.
    static thread_local std::pair<const void*, std::uint64_t> before;
    const auto now = std::make_pair(address, pages.openings());
    if (!use && std::exchange(before, now) == now) return false;
    if (use && use->work && pages.areOwn()) tell(*use, *allocation, place());
    return true;
}

void Waits::hear(const void* address, bool stores, const std::function<Place()>& place) {
    if (ClosedPages::instance().empty()) return;
    const Runtime::Turn turn;
    const PendingUse use =
        ClosedPages::instance().useAt(reinterpret_cast<std::uintptr_t>(address), stores);
    if (use.work) tell(use, *DeviceMemory::instance().find(address), place());
}

void Waits::tell(const PendingUse& use, const Allocation& allocation, const Place& at) {
    const Work& work = *use.work;
    Finding finding(
        "missing-wait",
        joined("the host ", use.writes ? "uses " : "writes to ", label(allocation), ", which ",
               work.name, " may still ", use.writes ? "write" : "read"),
        at,
        "Call cudaDeviceSynchronize() before this line: what is launched, or copied "
        "asynchronously, goes on beside the host until the host waits for it.",
        {joined(work.name, " begins at ", text(work.at), "; nothing waits for it until here")});
    finding.others = {work.at};
    found_.push_back(std::move(finding));
    goOn();  // one wait would be enough for all of it
}

void Waits::hostPolls(const void* address) {
    if (ClosedPages::instance().empty()) return;
    const Runtime::Turn turn;
    if (ClosedPages::instance().useAt(reinterpret_cast<std::uintptr_t>(address), false).work)
        goOn();
}

void Waits::goOn() {
    hostWaitsForAll();
    goneOn_ = true;
}

void Waits::report() {
    for (Finding& one : std::exchange(found_, {})) Runtime::instance().report(std::move(one));
}

}  // namespace cusim
