// Protects a recording program from the student's code in it. Before any constructor runs, it takes
// the channel out of the environment and makes the kernel refuse all system calls that judged code
// does not need (filter.h). A remark in the record reports each kind of refused call.
//
// LAB_GUARD=optional continues if the kernel has no such filter, with a remark in the record.
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <ucontext.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "testing/guarded_sim.h"
#include "testing/seed.h"
#include "verdict/guard/assembler.h"
#include "verdict/guard/channel_call.h"
#include "verdict/guard/filter.h"
#include "verdict/guard/guard.h"
#include "verdict/record/channel.h"
#include "verdict/record/record_file.h"

namespace {

// Constant-initialized, because the guard is up before any constructor has run.
int channel = -1;
bool isUp = false;  // with a filter of system calls

[[noreturn]] void refuse(const char* sentence) {
    if (write(STDERR_FILENO, sentence, std::strlen(sentence)) < 0) _exit(3);
    _exit(2);
}

void (*tellOf)(long call) = guard::remarkOn;

// Notes system calls; there may be millions of attempts.
struct Noted {
    static constexpr long kMost = 1024;
    volatile bool calls[kMost];
    // Returns true once for each call.
    bool isNews(long number) {
        volatile bool& here = calls[number < 0 || number >= kMost ? kMost - 1 : number];
        return !here && (here = true);
    }
};
Noted told, written;

void onRefusal(int, siginfo_t* info, void* context) {
    auto& machine = static_cast<ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
    machine.gregs[REG_RAX] = -EPERM;
#else
    machine.regs[0] = static_cast<std::uint64_t>(-EPERM);
#endif
    if (told.isNews(info->si_syscall)) tellOf(info->si_syscall);
}

// Returns the environment's entry of this name, or null; the C library does not know the
// environment yet.
char** find(char** environment, const char* name) {
    const std::size_t length = std::strlen(name);
    for (char** entry = environment; *entry; ++entry)
        if (std::strncmp(*entry, name, length) == 0 && (*entry)[length] == '=') return entry;
    return nullptr;
}

void remove(char** entry) {
    for (char** here = entry; *here; ++here) here[0] = here[1];
}

// Keeps the seed for the tests and hides it from the student's code.
char kept[200];
void hideSeed(char** environment) {
    char** const entry = find(environment, "LAB_SEED");
    if (!entry) return;
    char* const text = std::strchr(*entry, '=') + 1;
    std::snprintf(kept, sizeof kept, "%s", text);
    if (std::strcmp(kept, text) != 0) refuse("LAB_SEED is longer than 199 characters\n");
    std::memset(text, 0, std::strlen(text));
    remove(entry);
    testing::keepSeed(kept);
}

int channelFrom(char** environment) {
    char** const entry = find(environment, "LAB_RECORD_FD");
    const char* const given = entry ? std::strchr(*entry, '=') + 1 : nullptr;
    char* end = nullptr;
    const long number = given ? std::strtol(given, &end, 10) : -1;
    const int flags = number > STDERR_FILENO && number < 1024 && *end == '\0'
                          ? fcntl(static_cast<int>(number), F_GETFL)
                          : -1;
    if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY)
        refuse(
            "LAB_RECORD_FD must be the number of a descriptor that the record is written to:\n"
            "    LAB_RECORD_FD=3 record 3>file\n");
    remove(entry);
    return static_cast<int>(number);
}

bool install(const std::vector<sock_filter>& code) {
    std::vector<sock_filter> copy = code;
    const sock_fprog program{static_cast<unsigned short>(copy.size()), copy.data()};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

void raiseGuard(int, char**, char** environment) {
    channel = channelFrom(environment);
    hideSeed(environment);
    testing::nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    testing::writeToChannel(testing::kRecordBegins);

    struct sigaction action {};
    action.sa_sigaction = onRefusal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigaction(SIGSYS, &action, nullptr);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    isUp = install(guard::filterFor({channel, guard::channelCallEnd()}));
    if (isUp) return;
    char** const need = find(environment, "LAB_GUARD");
    if (!need || std::strcmp(*need, "LAB_GUARD=optional") != 0)
        refuse(
            "record: this kernel filters no system calls (seccomp), so that the student's code\n"
            "could write the record itself. LAB_GUARD=optional goes on all the same.\n");
    guard::remark("the kernel filters no system calls: the program ran unguarded");
}

// The loader calls this before all constructors, also the student's; the gate refuses an object
// that adds a function here.
__attribute__((section(".preinit_array"), used)) void (*const atStart)(int, char**,
                                                                       char**) = raiseGuard;

}  // namespace

namespace guard {

void remark(const char* sentence) {
    testing::writeToChannel(testing::entry(testing::Entry::Remark, sentence));
}

void remarkOn(long call) {
    if (!written.isNews(call)) return;
    char text[200];
    std::snprintf(text, sizeof text, "the program tried %s (system call %ld); it was refused",
                  attemptOf(call), call);
    remark(text);
}

void confineHost(void (*tell)(long call)) {
    tellOf = tell;
    Rules rules{channel};
    rules.process = getpid();
    // No test generates data here.
    std::memset(kept, 0, sizeof kept);
    if (isUp && !install(filterFor(rules))) _exit(2);
}

}  // namespace guard

namespace testing {

void writeToChannel(std::string_view bytes) {
    while (!bytes.empty()) {
        const long written = guard::channelCall(channel, bytes.data(), bytes.size());
        if (written == -EINTR) continue;
        // The other end is closed, so no record is needed.
        if (written <= 0) _exit(2);
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
}

}  // namespace testing
