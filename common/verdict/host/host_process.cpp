#include "verdict/host/host_process.h"

#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "simulator/engine/faults.h"
#include "verdict/guard/guard.h"
#include "verdict/host/asking.h"
#include "verdict/host/copies.h"
#include "verdict/host/decoys.h"
#include "verdict/host/messages.h"
#include "verdict/host/one_processor.h"
#include "verdict/host/serving.h"
#include "verdict/host/statics.h"
#include "verdict/record/report_format.h"

namespace host {
namespace {

pid_t child = 0;  // the last one; 0: none

// Host code waits only for the device.
constexpr double kMostWaiting = 5;

// Waits until the last process has ended; returns its status as waitpid() gives it, 0 without one.
int statusOfLast() {
    int status = 0;
    if (child > 0)
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    child = 0;
    return status;
}

// A process that gets this one's memory gets decoys instead of the call's numbers.
[[noreturn]] void runAsHost(int socket, const lab::Outputs& outputs,
                            const testing::StudentCode& studentCode,
                            const std::vector<Range>& memory) {
    becomeHost(socket);
    if (!memory.empty()) {
        Copies copies(outputs);
        Decoys::intoMatrices(outputs);
        copies.wipe(memory);
    }
    noteStatics();
    // A constructor that does not return ends the program before its tests.
    if (hasConstructors() && cusim::guardedAlone(constructStatics).how != cusim::Outcome::Returned)
        _exit(2);
    const cusim::Outcome outcome = cusim::guardedAlone(studentCode);
    cusim::hostProgress().asks = true;  // the device now receives the outputs
    testing::ByteWriter writer;
    testing::write(writer, outcome);
    for (const lab::Outputs::Piece& piece : outputs.given()) writer(piece.bytes(piece.object));
    writeStatics(writer);
    send(socket, Say::Done, writer.bytes());
    _exit(0);
}

// Ends the program, so that no test passes whose call is not in the record.
[[noreturn]] void endWith(const char* sentence, int status = 2) {
    std::fprintf(stderr, "record: %s\n", sentence);
    _exit(status);
}

}  // namespace

void awaitEnd() { statusOfLast(); }

CallResult call(const lab::Outputs& outputs, const testing::StudentCode& studentCode) {
    signal(SIGPIPE, SIG_IGN);  // of a child that reads no more
    awaitEnd();
    const OneProcessor inTurns;
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        endWith("the system gives no sockets", kNotServed);
    if (std::getenv("LAB_ENDLESS_HOST")) cusim::noteEndlessHost();
    cusim::hostProgress().asks = false;  // is made here, so that both have the same
    const bool withDecoys = std::getenv("LAB_DECOYS") != nullptr;
    const std::vector<Range> memory = withDecoys ? ownMemory() : std::vector<Range>{};
    child = fork();
    if (child < 0) endWith("the system starts no further process", kNotServed);
    if (child == 0) {
        close(ends[0]);
        try {
            runAsHost(ends[1], outputs, studentCode, memory);
        } catch (...) {
            _exit(2);
        }
    }
    close(ends[1]);
    const cusim::Watched watched = cusim::watchHost(child, kMostWaiting);
    try {
        CallResult result = serveUntilDone(ends[0], outputs, withDecoys);
        close(ends[0]);
        cusim::checkAfter(result.outcome);
        return result;
    } catch (const Closed&) {
        // The C library blocks all signals before it forks, so the child cannot report it.
        const int status = statusOfLast();
        if (WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS)
            guard::remark(
                "the program tried to start another process, or something else with its signals "
                "blocked; it was refused");
        if (WIFEXITED(status) && WEXITSTATUS(status) == kNotServed)
            endWith("the system gives no memory or no thread", kNotServed);
        endWith("the process of host code has ended");
    } catch (const testing::Damaged& why) {
        guard::remark("the program sent the simulated device what no call sends");
        endWith(why.what());
    } catch (const std::exception& why) {  // such as of too little memory
        endWith(why.what());
    }
}

}  // namespace host
