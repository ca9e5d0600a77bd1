// Attack: says that the rest of the file is a header of the system, which the gate skips
// Remark: names a file of another place by #line
// Here: solutions/lab1_naive/kernel.cu
# 1 "/usr/include/stdio.h" 1 3
__attribute__((no_sanitize("thread"))) static int unheard() { return 0; }
