// Tries what the guard refuses, through system functions that the gate would refuse. The first word
// of the command line is the process, "host" or "device"; each further word is one attempt, for
// which the program prints "refused" or "done".
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <thread>

#include "verdict/guard/guard.h"

namespace {

constexpr int kChannel = 3;  // the number that test_record.py gives it

// Not fork(), which blocks the signal of a refusal in some C libraries.
bool startsProcess(int flags) {
    pid_t id = 0;
    const auto child = static_cast<pid_t>(syscall(SYS_clone, flags, 0, 0, &id, &id));
    if (child == 0) _exit(0);
    return child > 0 && waitpid(child, nullptr, 0) == child;
}

// Asks for what fork() of glibc asks for.
bool forks() { return startsProcess(CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID | SIGCHLD); }

// Returns whether the guard lets the system answer.
bool asksForSockets(int family) {
    int ends[2];
    return socketpair(family, SOCK_STREAM, 0, ends) == 0 || errno != EPERM;
}

bool writesToChannel() {
    const iovec part{const_cast<char*>("x"), 1};
    return write(kChannel, "x", 1) > 0 || pwrite(kChannel, "x", 1, 0) > 0 ||
           writev(kChannel, &part, 1) > 0 || syscall(SYS_write, kChannel, "x", 1) > 0;
}

bool makesCode() {
    void* const page =
        mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    void* const plain =
        mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return page != MAP_FAILED || mprotect(plain, 4096, PROT_READ | PROT_EXEC) == 0;
}

const std::map<std::string, std::function<bool()>> attempts = {
    {"process", [] { return startsProcess(SIGCHLD); }},
    {"program", [] { return execl("/bin/true", "true", nullptr) == 0; }},
    {"parent", [] { return kill(getppid(), SIGCONT) == 0; }},
    {"file", [] { return open("guard_was_here", O_WRONLY | O_CREAT, 0600) >= 0; }},
    {"record", writesToChannel},
    {"copy", [] { return dup(kChannel) >= 0 || fcntl(kChannel, F_DUPFD, 10) >= 0; }},
    {"replace", [] { return dup2(STDOUT_FILENO, kChannel) >= 0; }},
    {"close", [] { return close(kChannel) == 0; }},
    {"reopen", [] { return open("/proc/self/fd/3", O_WRONLY) >= 0; }},
    {"memory", [] { return open("/proc/self/mem", O_RDWR) >= 0; }},
    {"code", makesCode},
    {"sockets", [] { return asksForSockets(AF_INET); }},
    {"network", [] { return socket(AF_INET, SOCK_STREAM, 0) >= 0; }},
    {"rights", [] { return prctl(PR_SET_DUMPABLE, 1) == 0; }},
    {"delete", [] { return unlink("guard_was_here") == 0; }},
    {"seed", [] { return std::getenv("LAB_SEED") || std::getenv("LAB_RECORD_FD"); }},
    // Honest programs need these.
    {"thread",
     [] {
         bool ran = false;
         std::thread([&] { ran = true; }).join();
         return ran;
     }},
    {"read", [] { return std::fopen("/dev/null", "r") != nullptr; }},
    // The process of the device needs these to start the host's.
    {"fork", forks},
    {"local", [] { return asksForSockets(AF_UNIX); }},
};

}  // namespace

// Tells as the process of the host would, by a socket of its own.
void tell(long) {}

int main(int argc, char** argv) {
    if (argc > 1 && argv[1] == std::string("host")) guard::confineHost(tell);
    for (int i = 2; i < argc; ++i) {
        const auto attempt = attempts.find(argv[i]);
        if (attempt == attempts.end()) return 2;
        std::printf("%s %s\n", argv[i], attempt->second() ? "done" : "refused");
    }
}
