#include "verdict/host/asking.h"

#include <signal.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <utility>

#include "simulator/api/report.h"
#include "simulator/engine/faults.h"
#include "simulator/engine/runtime.h"
#include "simulator/engine/waits.h"
#include "simulator/engine/watchdog.h"
#include "simulator/findings/source_lines.h"
#include "simulator/memory/device_memory.h"
#include "verdict/guard/guard.h"
#include "verdict/host/calls.h"
#include "verdict/host/messages.h"
#include "verdict/host/pending_uses.h"
#include "verdict/record/report_format.h"

namespace host {
namespace {

int device = -1;
std::size_t calls = 0;

// Sends a one-way message.
void tell(Say what, std::string_view content) {
    try {
        send(device, what, content);
    } catch (const Closed&) {
        _exit(2);
    }
}

void tellFinding(const cusim::Finding& finding) {
    testing::ByteWriter writer;
    testing::write(writer, finding);
    tell(Say::Finding, writer.bytes());
}

void tellRemark(long call) {
    testing::ByteWriter writer;
    put(writer, call);
    tell(Say::Remark, writer.bytes());
}

char* address(testing::ByteReader& reader) {
    return reinterpret_cast<char*>(take<std::uintptr_t>(reader));
}

// Does what the device requests in the middle of a call.
void serve(const Message& asked) {
    testing::ByteReader reader(asked.content);
    char* const at = address(reader);
    if (asked.what == Say::Read) {
        // Reads first: a wrong address crashes here, before a message is begun.
        tell(Say::Bytes, std::string(at, take<std::size_t>(reader)));
    } else if (asked.what == Say::Write) {
        const std::string_view bytes = reader.view();
        std::memmove(at, bytes.data(), bytes.size());
    } else if (asked.what == Say::CallBack) {
        const auto stream = take<cudaStream_t>(reader);
        const auto data = take<void*>(reader);
        takePendingUses(reader);
        cusim::hostProgress().asks = false;
        reinterpret_cast<cudaStreamCallback_t>(at)(stream, cudaSuccess, data);
        cusim::hostProgress().asks = true;
        cusim::Waits::instance().noteCalled(0);
        tell(Say::Called, "");
    }
}

// Takes the begin of every answer: the last call that had failed, by which a report explains an
// exit(), and what is pending. Returns the rest.
std::string withoutBegin(std::string answer) {
    testing::ByteReader reader(answer);
    cusim::FailedCall& failed = cusim::Runtime::instance().lastFailed;
    const bool isFirst = failed.function.empty();
    reader(failed.function);
    if (isFirst && !failed.function.empty()) failed.byDestructor = cusim::calledByDestructor();
    failed.error = take<cudaError_t>(reader);
    reader(failed.why);
    takePendingUses(reader);
    answer.erase(0, answer.size() - reader.left());
    return answer;
}

}  // namespace

bool inHostProcess() { return device >= 0; }

void becomeHost(int socket) {
    device = socket;
    // The handlers of the tests end the record, which this process does not have.
    for (const int number : {SIGABRT, SIGINT, SIGTERM}) signal(number, SIG_DFL);
    cusim::DeviceMemory::instance().leaveBytes();
    cusim::ClosedPages::instance().leaveOpen(false);
    guard::confineHost(tellRemark);
    cusim::leaveWatching();
    cusim::tellFindings(tellFinding);
}

std::string ask(std::string_view call) {
    cusim::Progress& progress = cusim::hostProgress();
    progress.step();
    cusim::endAfterCalls(++calls);
    progress.asks = true;
    cusim::Waits& waits = cusim::Waits::instance();
    waits.report();
    if (waits.takeContinued()) tell(Say::Waited, "");
    if (waits.takeWaited()) tell(Say::Heard, "");
    tell(Say::Call, call);
    for (;;) {
        Message said{};
        try {
            said = receive(device);
        } catch (const std::exception&) {
            _exit(2);
        }
        progress.step();  // the device's time was not the host's
        if (said.what == Say::Answer) {
            progress.asks = false;
            return withoutBegin(std::move(said.content));
        }
        serve(said);
        progress.step();
    }
}

void quietly(const std::function<void()>& function) {
    cusim::tellFindings(nullptr);
    function();
    cusim::tellFindings(tellFinding);
}

}  // namespace host
