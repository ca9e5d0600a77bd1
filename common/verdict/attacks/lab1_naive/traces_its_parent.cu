// Attack: to write into the grader's memory.
// Remark: changes what a process may do
#include <sys/ptrace.h>
#include <unistd.h>

#include "unsolved.h"

AT_START { ptrace(PTRACE_ATTACH, getppid(), nullptr, nullptr); }
