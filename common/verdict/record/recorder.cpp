// Turns the program that runs a lab's tests into `record`: it makes each call into student code and
// writes its result to the channel. The program's output and exit status mean nothing.
#define CATCH_CONFIG_EXTERNAL_INTERFACES
#include "testing/guarded_sim.h"
#include "testing/role.h"
#include "verdict/record/channel.h"
#include "verdict/record/key.h"
#include "verdict/record/own_words.h"
#include "verdict/record/report_format.h"

namespace testing {
namespace {

Key key;

// Writes a finding of the call under way.
void tell(const cusim::Finding& finding) {
    cusim::Finding complete = finding;
    cusim::addSource(complete);
    ByteWriter writer;
    writer(key);
    write(writer, complete);
    writeToChannel(entry(Entry::Finding, writer.bytes()));
}

// Tests whether all observers are on, as they must be from start to end of a recorded call.
bool watches(const cusim::Options& o) { return o.count && o.races && o.unset && o.warps; }

bool same(const cusim::Options& a, const cusim::Options& b) {
    return a.warpBlocks == b.warpBlocks && a.countElements == b.countElements &&
           a.lastBlockOnly == b.lastBlockOnly && a.secondLimit == b.secondLimit &&
           a.workers == b.workers && a.schedule == b.schedule && a.profile == b.profile &&
           a.trace == b.trace;
}

// Writes a remark and a finding in the place of the call's record, so that the test fails.
void tellOfChange() {
    const std::string what = "the file has switched off checks of the simulated device";
    static bool told = false;
    if (!told) writeToChannel(entry(Entry::Remark, what));
    told = true;
    cusim::Finding finding;
    finding.kind = "checks-off";
    finding.title = what;
    tell(finding);
}

// Makes a call and writes its result.
cusim::Outcome recorded(const lab::Outputs& outputs, const StudentCode& studentCode) {
    key = nextKey();
    const cusim::Options before = cusim::options();
    const cusim::Outcome outcome = cusim::guarded(studentCode);
    const cusim::Options& after = cusim::options();
    if (!watches(before) || !watches(after) || !same(before, after)) {
        tellOfChange();
        return outcome;
    }

    ByteWriter writer;
    writer(key);
    writer(static_cast<std::int32_t>(outcome.how));
    writer(static_cast<std::int32_t>(outcome.exitStatus));
    writer(std::string_view(outcome.message).substr(0, lab::kMostText));
    writer(outcome.failedCall), writer(outcome.at.file), writer(outcome.at.line);
    KnownMemory known;
    for (const auto* pieces : {&outputs.given(), &outputs.read()})
        for (const lab::Outputs::Piece& piece : *pieces) known.push_back(piece.bytes(piece.object));
    write(writer, cusim::currentReport(), known);
    for (const lab::Outputs::Piece& piece : outputs.given()) writer(piece.bytes(piece.object));
    writeToChannel(entry(Entry::Call, writer.bytes()));
    return outcome;
}

class Recorder : public RunListener {
  public:
    using RunListener::RunListener;
    void testRunStarting(const Catch::TestRunInfo&) override {
        setRole(Role::Records);
        showOwnFiles();
        callBy(recorded);
        cusim::tellFindings(tell);
    }
    void testRunEnded(const Catch::TestRunStats&) override {
        writeToChannel(entry(Entry::End, ""));
    }
};

CATCH_REGISTER_LISTENER(Recorder)

}  // namespace
}  // namespace testing
