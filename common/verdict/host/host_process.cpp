#include "verdict/host/host_process.h"

#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include "simulator/engine/faults.h"
#include "simulator/engine/host_memory.h"
#include "simulator/engine/runtime.h"
#include "testing/printable.h"
#include "verdict/guard/guard.h"
#include "verdict/host/asking.h"
#include "verdict/host/messages.h"
#include "verdict/host/serving.h"
#include "verdict/record/report_format.h"

namespace host {
namespace {

// Constructors of the student's file that have not come to an end will not the next time.
bool neverStarts = false;

[[noreturn]] void runAsHost(int socket, const lab::Outputs& outputs,
                            const testing::StudentCode& studentCode) {
    becomeHost(socket);
    cusim::Outcome outcome = cusim::guardedAlone(constructStudents);
    if (outcome.how != cusim::Outcome::Returned) _exit(2);
    send(socket, Say::Started, "");
    outcome = cusim::guardedAlone(studentCode);
    testing::ByteWriter writer;
    testing::write(writer, outcome);
    for (const lab::Outputs::Piece& piece : outputs.given()) writer(piece.bytes(piece.object));
    send(socket, Say::Done, writer.bytes());
    _exit(0);
}

cusim::Outcome failed(const char* kind, const std::string& title) {
    cusim::Runtime::instance().report({kind, title, {}});
    return {cusim::Outcome::Faulted, 0, title};
}

cusim::Outcome unstarted() {
    return failed("ended-early",
                  "the program ended before it came to this test: a constructor has ended it");
}

cusim::Outcome serve(int socket, const lab::Outputs& outputs) {
    bool started = false;
    try {
        const cusim::Outcome outcome = serveUntilDone(socket, outputs, started);
        neverStarts = !started;
        return outcome;
    } catch (const Closed&) {
        neverStarts = !started;
        return started ? failed("ended-early", "the program ended in this test") : unstarted();
    } catch (const testing::Damaged& why) {
        guard::remark("the program said what no student's code says");
        return failed("forged-call", std::string("the program cannot be judged: ") + why.what());
    }
}

}  // namespace

cusim::Outcome call(const lab::Outputs& outputs, const testing::StudentCode& studentCode) {
    if (neverStarts) return unstarted();
    // Neither a child that has ended nor one that no longer reads ends this process.
    signal(SIGCHLD, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return failed("ended-early", "the system gives no socket for a process");
    const pid_t child = fork();
    if (child < 0) return failed("ended-early", "the system starts no further process");
    if (child == 0) {
        close(ends[0]);
        try {
            runAsHost(ends[1], outputs, studentCode);
        } catch (...) {
            _exit(2);
        }
    }
    close(ends[1]);
    const cusim::Outcome outcome = serve(ends[0], outputs);
    close(ends[0]);
    cusim::lookBehind(outcome);
    return outcome;
}

}  // namespace host
