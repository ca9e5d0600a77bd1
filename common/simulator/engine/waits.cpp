#include "simulator/engine/waits.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "simulator/engine/faults.h"
#include "simulator/engine/runtime.h"
#include "simulator/memory/element_names.h"

namespace cusim {
namespace {

constexpr int kAll = -1;  // of the streams

std::uint64_t valueOf(const std::map<int, std::uint64_t>& clock, int stream) {
    const auto found = clock.find(stream);
    return found == clock.end() ? 0 : found->second;
}

std::string nameOfStream(int stream) {
    return stream == 0 ? "the default stream" : joined("stream ", stream);
}

}  // namespace

Waits& Waits::instance() {
    static auto* const waits = new Waits;  // outlives static destructors
    return *waits;
}

void Waits::join(Clock& clock, const Clock& other) {
    for (const auto& [stream, work] : other) clock[stream] = std::max(clock[stream], work);
}

bool Waits::hasEnded(const Clock& clock, const Work& work) {
    return work.number <= std::max(valueOf(clock, kAll), valueOf(clock, work.stream));
}

// Orders the next step of a stream after what the host has waited for, and after the default
// stream, or after all streams that block it.
Waits::Clock& Waits::enter(const StreamStep& step) {
    Clock& own = streams_[step.stream];
    join(own, host_);
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

StreamStep Waits::note(StreamStep step) {
    const Runtime::Turn turn;
    const bool ofHost = step.what == StreamStep::HostWaits;
    if (ofHost && step.event >= 0) {
        join(host_, events_[step.event]);
    } else if (ofHost && step.stream >= 0) {
        join(host_, step.stream == 0 ? enter(step) : streams_[step.stream]);
    } else if (ofHost) {
        host_ = {{kAll, last_}};
        streams_.clear();
        events_.clear();
        called_.clear();
    }
    Clock& clock = ofHost ? host_ : enter(step);
    if (step.what == StreamStep::StreamWaits) join(clock, events_[step.event]);
    if (step.what == StreamStep::Record) events_[step.event] = clock;
    if (ofHost)
        ClosedPages::instance().forget([&](const Work& work) { return hasEnded(host_, work); });
    if (const int streams = Runtime::instance().streamsMade)
        for (int stream = 0; stream <= streams; ++stream)
            step.ended.push_back(std::max(valueOf(clock, kAll), valueOf(clock, stream)));
    const bool isWork = step.what == StreamStep::CopyIn || step.what == StreamStep::CopyOut ||
                        step.what == StreamStep::Fill || step.what == StreamStep::Launch;
    if (isWork) clock[step.stream] = step.number = ++last_;
    return step;
}

bool Waits::hasEnded(const StreamStep& step) {
    const Clock now = step.event >= 0    ? events_[step.event]
                      : step.stream == 0 ? enter(step)
                                         : streams_[step.stream];
    if (std::all_of(now.begin(), now.end(), [&](const auto& last) {
            return last.second <= std::max(valueOf(host_, kAll), valueOf(host_, last.first));
        }))
        return true;
    auto& [before, times] = asked_[{step.stream, step.event}];
    if (std::exchange(before, now) != now) times = 0;
    const int enough = hasAnswered_ ? 2 : options().unreadyAnswers;
    const bool ready = ++times > enough;
    hasAnswered_ |= ready;
    return ready;
}

std::shared_ptr<const Work> Waits::begin(std::string name, const Place& at,
                                         const StreamStep& step) {
    useAlternateSignalStack();
    enter(step)[step.stream] = ++last_;
    return std::make_shared<Work>(Work{std::move(name), at, step.stream, last_});
}

void Waits::noteUse(const std::shared_ptr<const Work>& work, const Allocation& allocation,
                    ByteUse how, std::vector<Piece> pieces) {
    if (pieces.empty()) return;
    PendingUse use{work, how, std::move(pieces)};
    const Clock& own = streams_[work->stream];
    const auto [before, byte] =
        ClosedPages::instance().meeting(allocation, use, [&](const Work& other) {
            return hasEnded(own, other) || hasEnded(toldOf_[work->stream], other);
        });
    if (before.work) tellUnordered(use, before, allocation, byte);
    ClosedPages::instance().add(allocation, std::move(use));
}

namespace {

// Tests whether the last step copies from the source and to the target of an earlier one.
bool isCopiedAgain() {
    const std::vector<StreamStep>& steps = streamSteps();
    return !steps.empty() && steps.back().what == StreamStep::CopyIn &&
           std::any_of(steps.begin(), steps.end() - 1, [&](const StreamStep& one) {
               return one.what == StreamStep::CopyIn && one.host == steps.back().host &&
                      one.allocation == steps.back().allocation &&
                      one.offset == steps.back().offset && one.bytes == steps.back().bytes;
           });
}

}  // namespace

void Waits::tellUnordered(const PendingUse& use, const PendingUse& before,
                          const Allocation& allocation, std::size_t byte) {
    const Work &one = *before.work, &other = *use.work;
    // A wait that orders these two orders everything before and after them, too.
    join(toldOf_[other.stream], streams_[one.stream]);
    if (!toldUnordered_.emplace(text(one.at), text(other.at)).second) return;
    const bool byDefault = one.stream == 0 || other.stream == 0;
    const bool frees = other.name == "cudaFreeAsync", allocates = one.name == "cudaMallocAsync";
    Finding finding(
        "stream-race",
        joined(other.name,
               frees          ? " frees "
               : use.writes() ? " writes "
                              : " reads ",
               label(allocation), ", which ", one.name,
               allocates         ? " may not have allocated yet"
               : before.writes() ? " may still write"
                                 : " may still read"),
        other.at,
        joined(
            byDefault ? "A stream made with cudaStreamNonBlocking does not wait for the default "
                        "stream, nor the default stream for it. "
                      : "",
            isCopiedAgain() ? "An earlier copy had the same source, target and size. If the source "
                              "is unchanged, copy it once, with cudaMemcpy, before the work in the "
                              "streams begins. If it has changed: put"
                            : "Put",
            " both into one stream. Or record an event after the first (cudaEventRecord), and "
            "let the stream of the second wait for it (cudaStreamWaitEvent). Or let the host wait "
            "between the two (cudaStreamSynchronize). Or give each stream its own memory."),
        {joined(one.name, " begins at ", text(one.at), " in ", nameOfStream(one.stream)),
         joined(other.name, " is in ", nameOfStream(other.stream),
                "; nothing orders the two, so they may run at the same time (streams are numbered "
                "as they are created)"),
         joined("both use ", elementName(false, allocation.id, byte / 4 * 4))});
    finding.others = {one.at};
    Runtime::instance().report(std::move(finding));
}

bool Waits::openFor(const void* address, const std::function<Place()>& place) {
    ClosedPages& pages = ClosedPages::instance();
    // A child may have been made while another thread had its turn.
    std::optional<Runtime::Turn> turn;
    if (pages.areOwn()) turn.emplace();
    const Allocation* const allocation = DeviceMemory::instance().find(address);
    if (!allocation || !allocation->live || !allocation->hostMayAccess()) return false;
    const auto use = pages.openAt(reinterpret_cast<std::uintptr_t>(address));
    // If nothing was closed, another thread has opened it; otherwise no page raised the signal.
    static thread_local std::pair<const void*, std::uint64_t> before;
    const auto now = std::make_pair(address, pages.openings());
    if (!use && std::exchange(before, now) == now) return false;
    if (use && use->work && pages.areOwn() && !isOverInFunction(*use->work))
        tell(*use, label(*allocation), place());
    return true;
}

void Waits::noteAccess(const void* address, bool stores, const std::function<Place()>& place) {
    if (ClosedPages::instance().empty()) return;
    const Runtime::Turn turn;
    const PendingUse use =
        ClosedPages::instance().useAt(reinterpret_cast<std::uintptr_t>(address), stores);
    const Allocation* const allocation = DeviceMemory::instance().find(address);
    if (use.work && !isOverInFunction(*use.work))
        tell(use, allocation ? label(*allocation) : "registered memory", place());
}

void Waits::tell(const PendingUse& use, const std::string& memory, const Place& at) {
    const Work& work = *use.work;
    Finding finding(
        "missing-wait",
        joined("the host ", use.writes() ? "uses " : "writes to ", memory, ", which ", work.name,
               " may still ", use.writes() ? "write" : "read"),
        at,
        "Call cudaDeviceSynchronize() before this line. Kernels and asynchronous copies run beside "
        "host code until the host waits for them.",
        {joined(work.name, " begins at ", text(work.at), "; nothing waits for it until here")});
    finding.others = {work.at};
    found_.push_back(std::move(finding));
    endWait();  // one wait would be enough for all work
}

void Waits::callInStream(StreamStep step, const std::function<void()>& function) {
    step.what = StreamStep::Record;
    step.event = Runtime::instance().eventsMade++;
    note(step);
    function_ = &events_[step.event];
    function();
    function_ = nullptr;
    noteCalled(step.event);
}

void Waits::hostLocks() {
    if (called_.empty() || function_) return;
    const Runtime::Turn turn;
    for (const int event : std::exchange(called_, {}))
        Runtime::instance().note({StreamStep::HostWaits, 0, event}, nullptr);
    waited_ = true;
}

void Waits::hostPolls(const void* address) {
    hostLocks();
    if (ClosedPages::instance().empty()) return;
    const Runtime::Turn turn;
    if (ClosedPages::instance().useAt(reinterpret_cast<std::uintptr_t>(address), false).work)
        endWait();
}

void Waits::endWait() {
    hostWaitsForAll();
    continued_ = true;
}

void Waits::report() {
    for (Finding& one : std::exchange(found_, {})) Runtime::instance().report(std::move(one));
}

}  // namespace cusim
