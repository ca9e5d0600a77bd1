#include "verdict/record/report_format.h"

#include <algorithm>
#include <set>
#include <string>

#include "testing/outputs.h"
#include "testing/printable.h"
#include "verdict/record/own_words.h"

namespace testing {
namespace {

// Marks a place in known memory; no address that Linux gives to a program has this bit.
constexpr std::uint64_t kKnown = std::uint64_t{1} << 63;
constexpr int kOffsetBits = 48;
constexpr std::uint64_t kOffset = (std::uint64_t{1} << kOffsetBits) - 1;

// Returns the number that stands for an address.
std::uint64_t written(const void* address, const KnownMemory& known) {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    for (std::size_t i = 0; i < known.size(); ++i) {
        const std::uint64_t offset = at - reinterpret_cast<std::uintptr_t>(known[i].data());
        if (offset < known[i].size()) return kKnown | i << kOffsetBits | offset;
    }
    return at & ~kKnown;
}

// Returns the address for which a number stands. Throws Damaged.
const void* understood(std::uint64_t address, const KnownMemory& known) {
    if (!(address & kKnown)) return reinterpret_cast<const void*>(address);
    const std::uint64_t piece = (address & ~kKnown) >> kOffsetBits, offset = address & kOffset;
    if (piece >= known.size() || offset >= known[piece].size())
        throw Damaged("it names memory that the test does not have");
    return known[piece].data() + offset;
}

// Calls translate(address) for each address in a report.
template <class Translate>
void forEachAddress(cusim::Report& report, const Translate& translate) {
    for (cusim::LaunchReport& launch : report.launches)
        for (auto* arrays : {&launch.arrays, &launch.placed})
            for (cusim::ArrayReport& array : *arrays) {
                translate(array.copiedFrom);
                translate(array.copiedTo);
            }
    for (cusim::StreamStep& step : report.streamSteps) translate(step.host);
}

// Returns a copy that lives as long as the program, like the literal for which it stands. Keeps up
// to 1000, since a right report has few.
const char* literal(const std::string& text) {
    static std::set<std::string> all;
    constexpr std::size_t kMost = 1000;
    if (all.size() >= kMost && !all.count(text)) return "";
    return all.insert(text).first->c_str();
}

// Reads or writes an enumeration's number. Throws Damaged if it is above `largest`.
template <class Archive, class Enum>
void number(Archive& archive, Enum& value, Enum largest) {
    auto n = static_cast<std::int32_t>(value);
    archive(n);
    if (n < 0 || n > static_cast<std::int32_t>(largest)) throw Damaged("it has an unknown number");
    value = static_cast<Enum>(n);
}

}  // namespace

// Each of these names the members of one structure, for both directions (see bytes.h).

template <class Archive>
void each(Archive& archive, uint3& v) {
    archive(v.x), archive(v.y), archive(v.z);
}

template <class Archive>
void each(Archive& archive, dim3& v) {
    archive(v.x), archive(v.y), archive(v.z);
}

template <class Archive>
void each(Archive& archive, cusim::Place& at) {
    archive(at.file), archive(at.line);
}

template <class Archive>
void each(Archive& archive, cusim::Finding& f) {
    archive(f.kind), archive(f.title), archive(f.file), archive(f.line), archive(f.kernel);
    archive(f.inThread), archive(f.thread), archive(f.block), archive(f.details);
    archive(f.remedy), archive(f.count), archive(f.others), archive(f.access), archive(f.causedAt);
    std::string source = f.source.value_or("");
    archive(source);
    f.source = source;
}

template <class Archive>
void each(Archive& archive, cusim::AccessCount& c) {
    archive(c.loads), archive(c.stores), archive(c.atomics);
    archive(c.loadedBytes), archive(c.storedBytes);
}

template <class Archive>
void each(Archive& archive, cusim::WarpReport& w) {
    archive(w.blocks), archive(w.globalRequests), archive(w.sectors), archive(w.idealSectors);
    archive(w.sharedRequests), archive(w.sharedPasses);
    archive(w.constantRequests), archive(w.constantPasses);
    archive(w.divergentWarps), archive(w.warps);
}

template <class Archive>
void each(Archive& archive, const void*& address) {
    auto at = reinterpret_cast<std::uintptr_t>(address);
    archive(at);
    address = reinterpret_cast<const void*>(at);
}

template <class Archive>
void each(Archive& archive, cusim::ArrayReport& a) {
    archive(a.name);
    number(archive, a.space, static_cast<cusim::Space>(cusim::kSpaces - 1));
    archive(a.allocation), archive(a.bytes), archive(a.count), archive(a.warps);
    archive(a.copiedFrom), archive(a.copiedTo);
    archive(a.elementLoads), archive(a.elementStores);
}

template <class Archive>
void each(Archive& archive, cusim::Where& at) {
    std::string file = at.file;
    archive(file), archive(at.line);
    at.file = literal(printable(file));
}

template <class Archive>
void each(Archive& archive, cusim::LaunchReport& l) {
    archive(l.kernel), archive(l.at), archive(l.grid), archive(l.block);
    archive(l.staticSharedBytes), archive(l.dynamicSharedBytes);
    archive(l.completed), archive(l.errorAsked);
    archive(l.threads), archive(l.barriers), archive(l.barriersPerThread);
    archive(l.tensorOperations), archive(l.tensorFlop);
    for (cusim::AccessCount& count : l.space) archive(count);
    archive(l.constantByAddress), archive(l.threadIndex), archive(l.changingIndex), archive(l.heap),
        archive(l.async.loadedBytes), archive(l.async.overlappedBytes);
    archive(l.warps), archive(l.arrays), archive(l.placed), archive(l.numbers), archive(l.seconds);
}

template <class Archive>
void each(Archive& archive, cusim::StreamStep& s) {
    number(archive, s.what, cusim::StreamStep::HostWaits);
    archive(s.stream), archive(s.event), archive(s.nonBlocking), archive(s.launch);
    archive(s.host), archive(s.pinned), archive(s.byte), archive(s.allocation), archive(s.offset);
    archive(s.bytes), archive(s.number), archive(s.ended);
}

template <class Archive>
void each(Archive& archive, cusim::Report& r) {
    archive(r.findings), archive(r.launches), archive(r.streamSteps), archive(r.calls);
    archive(r.storedValues);
}

namespace {

// Replaces control characters in all texts, so that a terminal can show them.
void clean(cusim::Finding& finding) {
    for (std::string* text : {&finding.kind, &finding.title, &finding.file, &finding.kernel,
                              &finding.remedy, &*finding.source})
        *text = printable(*text);
    finding.access = printable(finding.access);
    for (std::string& detail : finding.details) detail = printable(detail);
    for (cusim::Place& other : finding.others) other.file = printable(other.file);
    keepOwn(finding);
}

void clean(cusim::Report& report) {
    for (cusim::Finding& finding : report.findings) clean(finding);
    for (cusim::LaunchReport& launch : report.launches) {
        launch.kernel = printable(launch.kernel);
        launch.threadIndex.file = printable(launch.threadIndex.file);
        launch.changingIndex.file = printable(launch.changingIndex.file);
        for (auto* arrays : {&launch.arrays, &launch.placed})
            for (cusim::ArrayReport& array : *arrays) array.name = printable(array.name);
    }
    for (std::string& call : report.calls) call = printable(call);
}

// Throws Damaged for values that no simulated device reports, because tests rely on that. Completes
// short counts of elements.
void check(cusim::Report& report, const KnownMemory& known) {
    const bool refused =
        std::any_of(report.findings.begin(), report.findings.end(),
                    [](const cusim::Finding& f) { return f.kind == "invalid-launch"; });
    for (cusim::LaunchReport& launch : report.launches) {
        for (const dim3& d : {launch.grid, launch.block})
            if ((d.x == 0 || d.y == 0 || d.z == 0) && !refused)
                throw Damaged("it has a launch without threads");
        if (!cusim::options().countElements) continue;
        // Tests read every element of the matrix that an array was copied from or to.
        for (auto* arrays : {&launch.arrays, &launch.placed})
            for (cusim::ArrayReport& array : *arrays)
                for (const std::string_view piece : known)
                    if (piece.data() == array.copiedFrom || piece.data() == array.copiedTo)
                        for (auto* counts : {&array.elementLoads, &array.elementStores})
                            counts->resize(std::max(counts->size(), piece.size() / sizeof(float)));
    }
    constexpr std::size_t kMostBytes = std::size_t{96} << 20;
    for (const cusim::StreamStep& step : report.streamSteps)
        if (step.offset > kMostBytes || step.bytes > kMostBytes)
            throw Damaged("it has a copy larger than any of the tests");
}

}  // namespace

void write(ByteWriter& writer, cusim::Report report, const KnownMemory& known) {
    forEachAddress(report, [&](const void*& address) {
        address = reinterpret_cast<const void*>(written(address, known));
    });
    writer(report);
}

void write(ByteWriter& writer, const cusim::Finding& finding) { writer(finding); }

void write(ByteWriter& writer, const cusim::Outcome& outcome) {
    writer(static_cast<std::int32_t>(outcome.how));
    writer(static_cast<std::int32_t>(outcome.exitStatus));
    writer(std::string_view(outcome.message).substr(0, lab::kMostText));
    writer(outcome.failedCall), writer(outcome.at), writer(outcome.failedInDestructor);
}

cusim::Outcome readOutcome(ByteReader& reader) {
    cusim::Outcome outcome;
    std::int32_t how = 0, status = 0;
    reader(how), reader(status), reader(outcome.message), reader(outcome.failedCall);
    reader(outcome.at), reader(outcome.failedInDestructor);
    if (how < cusim::Outcome::Returned || how > cusim::Outcome::Faulted)
        throw Damaged("a call ended in an unknown way");
    outcome.how = static_cast<cusim::Outcome::How>(how);
    outcome.exitStatus = status;
    outcome.message = printable(std::string_view(outcome.message).substr(0, lab::kMostText));
    outcome.failedCall = printable(outcome.failedCall);
    outcome.at.file = printable(outcome.at.file);
    return outcome;
}

cusim::Report readReport(ByteReader& reader, const KnownMemory& known) {
    cusim::Report report;
    reader(report);
    forEachAddress(report, [&](const void*& address) {
        address = understood(reinterpret_cast<std::uintptr_t>(address), known);
    });
    clean(report);
    check(report, known);
    return report;
}

cusim::Finding readFinding(ByteReader& reader) {
    cusim::Finding finding;
    reader(finding);
    clean(finding);
    return finding;
}

}  // namespace testing
