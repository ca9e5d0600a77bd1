#include <sys/syscall.h>

#include <initializer_list>

#include "verdict/guard/filter.h"

namespace guard {

const char* attemptOf(long number) {
    struct Attempt {
        const char* words;
        std::initializer_list<long> calls;
    };
    static const Attempt attempts[] = {
        {"to start another program", {__NR_execve, __NR_execveat}},
        {"to start another process",
         {__NR_clone,
#ifdef __NR_fork
          __NR_fork, __NR_vfork
#endif
         }},
        {"to send a signal to another process",
         {__NR_kill, __NR_tkill, __NR_tgkill, __NR_rt_sigqueueinfo, __NR_rt_tgsigqueueinfo}},
        {"to reach into another process",
         {__NR_ptrace, __NR_process_vm_readv, __NR_process_vm_writev}},
        {"to use the network", {__NR_socket, __NR_socketpair, __NR_connect, __NR_bind}},
        {"to open a file for writing",
         {__NR_openat,
#ifdef __NR_open
          __NR_open, __NR_creat
#endif
         }},
        {"to change files",
         {__NR_unlinkat, __NR_renameat2, __NR_mkdirat, __NR_linkat, __NR_symlinkat, __NR_fchmodat,
          __NR_truncate,
#ifdef __NR_unlink
          __NR_unlink, __NR_rename, __NR_mkdir, __NR_rmdir, __NR_link, __NR_symlink, __NR_chmod
#endif
         }},
        {"to use the descriptor of the record",
         {__NR_write, __NR_writev, __NR_pwrite64, __NR_pwritev, __NR_read, __NR_close, __NR_dup,
          __NR_dup3, __NR_fcntl, __NR_lseek, __NR_sendfile, __NR_splice, __NR_ftruncate,
#ifdef __NR_dup2
          __NR_dup2
#endif
         }},
        {"to make new code", {__NR_mmap, __NR_mprotect}},
        {"to change what it may do", {__NR_prctl, __NR_seccomp}},
    };
    for (const Attempt& attempt : attempts)
        for (const long call : attempt.calls)
            if (call == number) return attempt.words;
    return "what no lab needs";
}

}  // namespace guard
