"""Functions of the system's libraries that no lab needs.

The kernel would refuse most of them anyway (see ../guard), but this report can name the line.
Students may use input and output, memory, time, mathematics, exit() and abort().
"""

import re

REASONS = {
    "it makes system calls of its own": "syscall",
    "it starts another process": "fork vfork _Fork clone system popen exec[lv].* execve.*"
    " fexecve posix_spawn.* daemon",
    "it sends signals": "kill killpg tgkill tkill raise pthread_kill sigqueue",
    "it changes what happens on a signal": "signal sigaction sigset sigaltstack"
    " sigprocmask pthread_sigmask sigsuspend sigwait.* bsd_signal sysv_signal",
    "it jumps out of the test": "_?_?(sig)?_?longjmp(_chk)? _?_?(sig)?setjmp"
    " [gs]etcontext makecontext swapcontext",
    "it looks for code that it was not linked with": "dl[a-z].* _dl_.* __libc_dl.* _r_debug"
    " backtrace.* _Unwind_(Backtrace|Find.*|Get.*|Set.*|Force.*)",
    "it changes how memory is mapped": "mmap(64)? munmap mprotect mremap pkey_.* shm.*"
    " memfd_create remap_file_pages brk sbrk madvise",
    "it changes what a process may do": "prctl arch_prctl seccomp ptrace setrlimit(64)?"
    " prlimit(64)? personality unshare setns process_vm_.* set[eg]?[ug]id setres[ug]id"
    " chroot mount umount.*",
    "it opens descriptors or files by itself": "open(64)? openat(64)? creat(64)? dup[23]?"
    " pipe2? f?truncate(64)? unlink(at)? rename(at2?)? remove mkdir(at)? rmdir link(at)?"
    " symlink(at)? f?chmod(at)? f?chown(at)? mk[sd].* mknod.* fdopen",
    "it writes around the C library": "p?writev?2?(64)? p?write(64)? sendfile(64)? splice"
    " copy_file_range fcntl(64)? ioctl close close_range closefrom aio_.*",
    "it uses the network": "socket(pair)? connect bind listen accept4? send(to|m?msg)?"
    " recv(from|m?msg)? getaddrinfo gethostby.*",
    "it starts host threads, which would go on between the tests": "pthread_create"
    " thrd_create timer_.* setitimer alarm ualarm _ZNSt6thread15_M_start_thread.*",
    "it changes the environment of the tests": "setenv putenv unsetenv clearenv _?_?environ",
    "it looks into the program that it is part of": "_?end _?edata _?etext __bss_start"
    " __?data_start __executable_start __ehdr_start _DYNAMIC __dso_handle_.* __start_.*"
    " __stop_.* __(preinit|init|fini)_array_.* __libc_(?!single_threaded$).* _rtld.*"
    " dl_iterate_phdr",
    "it goes around the simulated device": "__real_.* __wrap_.* w?mem(p?cpy|move|set|ccpy)"
    " bcopy bzero swab",
}

_PATTERNS = [
    (re.compile("|".join(f"(?:{name})" for name in names.split()) + "$"), reason)
    for reason, names in REASONS.items()
]


def reason_against(symbol):
    """Returns why a function is refused, or None."""
    for pattern, reason in _PATTERNS:
        if pattern.match(symbol):
            return reason
    return None
