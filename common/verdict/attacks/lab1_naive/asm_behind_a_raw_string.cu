// Attack: a text in which a header of the system seems to begin, and assembly behind it
// Remark: not accepted: .*'asm'
// Here: solutions/lab1_naive/kernel.cu
static const char* text = R"(
# 1 "/usr/include/stdio.h" 1 3
)";
static void sleeps() { asm("nop"); }
