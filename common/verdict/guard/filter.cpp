#include "verdict/guard/filter.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <cerrno>

#include "verdict/guard/assembler.h"

namespace guard {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#else
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#endif

constexpr std::uint32_t kAllowed = SECCOMP_RET_ALLOW;
constexpr std::uint32_t kRefused = SECCOMP_RET_TRAP;
constexpr std::uint32_t kNotThere = SECCOMP_RET_ERRNO | ENOSYS;

// The flags with which fork() of glibc calls clone.
constexpr std::uint32_t kFork = CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID | SIGCHLD;

// Memory, time, waiting threads, reading, and facts about the process. The most frequent calls come
// first.
constexpr long kHarmless[] = {
    __NR_futex,           __NR_madvise,
    __NR_munmap,          __NR_brk,
    __NR_mremap,          __NR_rt_sigaction,
    __NR_rt_sigprocmask,  __NR_rt_sigreturn,
    __NR_sigaltstack,     __NR_clock_gettime,
    __NR_clock_getres,    __NR_clock_nanosleep,
    __NR_nanosleep,       __NR_gettimeofday,
    __NR_getrusage,       __NR_times,
    __NR_sched_yield,     __NR_sched_getaffinity,
    __NR_set_robust_list, __NR_set_tid_address,
    __NR_restart_syscall, __NR_sysinfo,
    __NR_uname,           __NR_getpid,
    __NR_getppid,         __NR_gettid,
    __NR_getuid,          __NR_geteuid,
    __NR_getgid,          __NR_getegid,
    __NR_getrandom,       __NR_getcwd,
    __NR_readlinkat,      __NR_faccessat,
    __NR_newfstatat,      __NR_statx,
    __NR_getdents64,      __NR_exit,
};
// The same, on systems that have these calls.
constexpr long kHarmlessExtras[] = {
    __NR_exit_group,
#ifdef __NR_faccessat2
    __NR_faccessat2,
#endif
#ifdef __NR_rseq
    __NR_rseq,
#endif
#ifdef __x86_64__
    __NR_time,       __NR_stat, __NR_lstat, __NR_access, __NR_readlink,
#endif
};

// Allowed on every descriptor except the channel; the first argument is the descriptor.
constexpr long kOnDescriptors[] = {
    __NR_writev, __NR_read,  __NR_readv, __NR_pread64,   __NR_close,
    __NR_fstat,  __NR_lseek, __NR_dup,   __NR_fadvise64,
};

void allowWriting(Assembler& a, const Rules& rules) {
    // Only one instruction of the recorder writes to the channel.
    a.onCall(__NR_write, [&] {
        a.loadArgument(0);
        a.endUnless(static_cast<std::uint32_t>(rules.channel), kAllowed);
        a.load(offsetof(seccomp_data, instruction_pointer));
        a.endUnless(static_cast<std::uint32_t>(rules.channelWrite), kRefused);
        a.load(offsetof(seccomp_data, instruction_pointer) + sizeof(std::uint32_t));
        a.endUnless(static_cast<std::uint32_t>(rules.channelWrite >> 32), kRefused);
        a.end(kAllowed);
    });
}

void allowDescriptors(Assembler& a, std::uint32_t channel) {
    for (const long number : kOnDescriptors)
        a.onCall(number, [&] {
            a.loadArgument(0);
            a.endUnless(channel, kAllowed);
            a.end(kRefused);
        });
    // Neither argument may be the channel.
    const auto duplicate = [&] {
        a.loadArgument(0);
        a.endIf(channel, kRefused);
        a.loadArgument(1);
        a.endIf(channel, kRefused);
        a.end(kAllowed);
    };
    a.onCall(__NR_dup3, duplicate);
#ifdef __NR_dup2
    a.onCall(__NR_dup2, duplicate);
#endif
    a.onCall(__NR_fcntl, [&] {
        a.loadArgument(0);
        a.endIf(channel, kRefused);
        a.loadArgument(1);
        for (const int command : {F_GETFD, F_SETFD, F_GETFL})
            a.endIf(static_cast<std::uint32_t>(command), kAllowed);
        a.end(kRefused);
    });
    // isatty() needs this.
    a.onCall(__NR_ioctl, [&] {
        a.loadArgument(0);
        a.endIf(channel, kRefused);
        a.loadArgument(1);
        a.endIf(TCGETS, kAllowed);
        a.end(kRefused);
    });
}

// Allows a call if these bits of an argument have this value.
void allowIf(Assembler& a, long number, int argument, std::uint32_t bits, std::uint32_t value) {
    a.onCall(number, [&] {
        a.loadArgument(argument);
        a.mask(bits);
        a.endIf(value, kAllowed);
        a.end(kRefused);
    });
}

void allowReadingFiles(Assembler& a) {
    constexpr std::uint32_t kWriting =
        O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND | (O_TMPFILE & ~O_DIRECTORY);
    allowIf(a, __NR_openat, 2, kWriting, O_RDONLY);
#ifdef __NR_open
    allowIf(a, __NR_open, 1, kWriting, O_RDONLY);
#endif
}

void allowThreadsAndMemory(Assembler& a, const Rules& rules) {
    // Allows no new code while the program runs.
    for (const long number : {__NR_mmap, __NR_mprotect}) allowIf(a, number, 2, PROT_EXEC, 0);
    // The filter cannot read clone3's flags, which are in memory; the C library then uses clone.
    a.onCall(__NR_clone3, [&] { a.end(kNotThere); });
    if (rules.process > 0) {
        allowIf(a, __NR_clone, 0, CLONE_THREAD, CLONE_THREAD);
        // For the signals of the watchdog and of abort().
        allowIf(a, __NR_tgkill, 0, UINT32_MAX, static_cast<std::uint32_t>(rules.process));
    } else {
        a.onCall(__NR_clone, [&] {
            a.loadArgument(0);
            a.endIf(kFork, kAllowed);
            a.mask(CLONE_THREAD);
            a.endIf(CLONE_THREAD, kAllowed);
            a.end(kRefused);
        });
        allowIf(a, __NR_socketpair, 0, UINT32_MAX, AF_UNIX);
        // A child must pass this filter as well, and its number is not known yet.
        for (const long number : {__NR_tgkill, __NR_wait4})
            a.onCall(number, [&] { a.end(kAllowed); });
        // A child adds rules, which can only forbid more.
        allowIf(a, __NR_prctl, 0, UINT32_MAX, PR_SET_SECCOMP);
    }
    // Only for the calling thread.
    allowIf(a, __NR_sched_setaffinity, 0, UINT32_MAX, 0);
    // This call reads limits, but could also set them.
    a.onCall(__NR_prlimit64, [&] {
        a.loadArgument(2);
        a.endUnless(0, kRefused);
        a.loadUpperHalf(2);
        a.endUnless(0, kRefused);
        a.end(kAllowed);
    });
}

}  // namespace

std::vector<sock_filter> filterFor(const Rules& rules) {
    Assembler a;
    a.load(offsetof(seccomp_data, arch));
    a.endUnless(kArchitecture, SECCOMP_RET_KILL_PROCESS);
    a.load(offsetof(seccomp_data, nr));
    for (const long number : kHarmless) a.endIf(static_cast<std::uint32_t>(number), kAllowed);
    for (const long number : kHarmlessExtras) a.endIf(static_cast<std::uint32_t>(number), kAllowed);
    allowWriting(a, rules);
    allowDescriptors(a, static_cast<std::uint32_t>(rules.channel));
    allowReadingFiles(a);
    allowThreadsAndMemory(a, rules);
    a.end(kRefused);
    return a.code();
}

}  // namespace guard
