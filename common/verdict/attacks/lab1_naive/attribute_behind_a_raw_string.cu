// Attack: code that no hook hears, after a text in which a header of the system seems to begin
// Remark: 'no_sanitize' takes code out
// Here: solutions/lab1_naive/kernel.cu
const char* text = R"(
# 1 "/usr/include/stdio.h" 1 3
)";
__attribute__((no_sanitize("thread"))) float unheard() { return 0; }
