// Attack: to write into the grader's memory by one call.
// Remark: changes what a process may do
#include <sys/uio.h>
#include <unistd.h>

#include "unsolved.h"

AT_START {
    iovec here{}, there{};
    process_vm_writev(getppid(), &here, 1, &there, 1, 0);
}
