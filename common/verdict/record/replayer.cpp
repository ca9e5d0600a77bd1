// Makes the program that runs a lab's tests `replay`: it contains no student code, and takes the
// result of each call from a record. LAB_RECORD names the record. LAB_RECORD_ENDED may say how the
// program that wrote it ended, as in "it was stopped after 60 seconds". LAB_REMARKS names a file
// for the record's remarks, one per line.
#define CATCH_CONFIG_EXTERNAL_INTERFACES
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>

#include "testing/environment.h"
#include "testing/found_sim.h"
#include "testing/guarded_sim.h"
#include "testing/lab.h"
#include "testing/printable.h"
#include "testing/reporter.h"
#include "testing/role.h"
#include "verdict/record/key.h"
#include "verdict/record/own_words.h"
#include "verdict/record/report_format.h"

namespace testing {
namespace {

std::unique_ptr<const RecordFile> record;
bool handedOver = false;  // in the running test

// Ends the program with a sentence and status 2.
[[noreturn]] void refuse(const std::string& sentence) {
    std::fflush(stdout);
    std::fprintf(stderr, "%s\n", sentence.c_str());
    _exit(2);
}

// Returns a file's content; of one that is too long, only enough to show that. Refuses an
// unreadable file.
std::string contentOf(const char* name) {
    std::ifstream in(name, std::ios::binary);
    std::string bytes;
    char part[65536];
    while (in && bytes.size() <= kMostRecordBytes) {
        in.read(part, sizeof part);
        bytes.append(part, static_cast<std::size_t>(in.gcount()));
    }
    if (!in.eof() && bytes.size() <= kMostRecordBytes)
        refuse(std::string(name) + ": cannot be read; LAB_RECORD names what `record` wrote");
    return bytes;
}

void writeRemarks() {
    const char* const name = std::getenv("LAB_REMARKS");
    if (!name) return;
    std::ofstream out(name);
    for (const std::string& remark : record->remarks()) out << remark << "\n";
    if (!record->damage().empty()) out << "the record is damaged: " << record->damage() << "\n";
    if (!out.flush()) refuse(std::string(name) + ": cannot be written; choose another LAB_REMARKS");
}

std::string howItEnded() {
    const std::string told = fromEnvironment("LAB_RECORD_ENDED");
    return told.empty() ? "." : ": " + printable(told);
}

// Fails the test because its call has no record. Shows what was found before the program ended.
[[noreturn]] void failForWantOf(const Key& key) {
    std::string found;
    for (const std::string_view one : record->findings(key)) {
        ByteReader reader(one);
        const cusim::Finding finding = readFinding(reader);
        noteFinding(testing::found(finding));
        if (found.size() < 3000) found += "\n" + cusim::text(finding);
    }
    lab::fail("ended-early", "{}",
              (record->cameToItsEnd() ? "the program has not made the call that this test asks for."
               : key.number > 1 || !found.empty()
                   ? "the program ended in this test" + howItEnded()
                   : "the program ended before it came to this test" + howItEnded()) +
                  found);
}

// Restores what the device knew after the call, fills the outputs and returns how the call ended.
// Throws Damaged.
cusim::Outcome read(std::string_view call, const lab::Outputs& outputs, const std::string& test) {
    ByteReader reader(call);
    cusim::Outcome outcome = readOutcome(reader);
    if (outcome.how == cusim::Outcome::Threw)
        outcome.message = test.rfind("hidden: ", 0) == 0 ? "its text is not shown here"
                                                         : inOwnWords(outcome.message);
    KnownMemory known;
    for (const auto* pieces : {&outputs.given(), &outputs.read()})
        for (const lab::Outputs::Piece& piece : *pieces) known.push_back(piece.bytes(piece.object));
    cusim::Report report = readReport(reader, known);
    for (const lab::Outputs::Piece& piece : outputs.given())
        if (!piece.put(piece.object, reader.view()))
            throw Damaged("what a call gave has another size than the test expects");
    if (reader.left() > 0) throw Damaged("a call gave more than the test expects");
    cusim::restore(std::move(report));
    return outcome;
}

// Takes a call from the record; fails the test if it is missing or damaged.
cusim::Outcome replayed(const lab::Outputs& outputs, const StudentCode&) {
    const Key key = nextKey();
    std::string damage = record->damage();
    if (damage.empty()) {
        try {
            const std::string_view* const call = record->call(key);
            if (!call) failForWantOf(key);
            handedOver = handedOver || record->isHandedOver(key);
            return read(*call, outputs, key.test);
        } catch (const Damaged& why) {
            damage = why.what();
        }
    }
    lab::fail("damaged-record",
              "the record of the program is damaged, so that nothing can be judged:\n{}", damage);
}

class Replayer : public RunListener {
  public:
    using RunListener::RunListener;
    void testRunStarting(const Catch::TestRunInfo&) override {
        const char* const name = std::getenv("LAB_RECORD");
        if (!name || !*name)
            refuse("LAB_RECORD is not set; it names the file that `record` has written");
        record = std::make_unique<const RecordFile>(contentOf(name));
        writeRemarks();
        setRole(Role::Replays);
        showOwnFiles();
        callBy(replayed);
    }
    void testCaseEnded(const Catch::TestCaseStats& stats) override {
        // The test does not fail: the grader decides what such a pass counts.
        if (handedOver && stats.totals.assertions.failed == 0) noteFinding({"handed-over"});
        handedOver = false;
    }
};

CATCH_REGISTER_LISTENER(Replayer)

}  // namespace
}  // namespace testing
