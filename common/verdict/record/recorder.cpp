// Makes the program that runs a lab's tests `record`: it makes each call into student code and
// writes its result to the channel. The program's output and exit status mean nothing.
#define CATCH_CONFIG_EXTERNAL_INTERFACES
#include "simulator/findings/give_up.h"
#include "testing/guarded_sim.h"
#include "testing/role.h"
#include "verdict/guard/guard.h"
#include "verdict/host/host_process.h"
#include "verdict/record/channel.h"
#include "verdict/record/key.h"
#include "verdict/record/own_words.h"
#include "verdict/record/report_format.h"

namespace testing {
namespace {

// Before all other constructors, which may allocate memory.
__attribute__((constructor(101))) void blameTheMachine() { cusim::giveUpWith(host::kNotServed); }

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

// Tests whether all observers are on, as a recorded call requires.
bool watches(const cusim::Options& o) { return o.count && o.races && o.unset && o.warps; }

// Writes a remark and a finding instead of the call's record, so that the test fails.
void tellOfChecks() {
    const char* const what = "checks of the simulated device are switched off";
    static bool told = false;
    if (!told) guard::remark(what);
    told = true;
    tell({"checks-off", what, {}});
}

// Makes a call and writes its result.
cusim::Outcome recorded(const lab::Outputs& outputs, const StudentCode& studentCode) {
    key = nextKey();
    const auto [outcome, handedOver] = host::call(outputs, studentCode);
    if (!watches(cusim::options())) {
        tellOfChecks();
        return outcome;
    }

    ByteWriter writer;
    writer(key);
    if (handedOver) writeToChannel(entry(Entry::HandedOver, writer.bytes()));
    write(writer, outcome);
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
        host::awaitEnd();
        writeToChannel(entry(Entry::End, ""));
    }
};

CATCH_REGISTER_LISTENER(Recorder)

}  // namespace
}  // namespace testing
