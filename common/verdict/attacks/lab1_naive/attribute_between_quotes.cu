// Attack: code that no hook hears, between two quotes that a reader of texts takes for a text's ends
// Remark: 'no_sanitize' takes code out
// Here: solutions/lab1_naive/kernel.cu
char first = '"'; __attribute__((no_sanitize("thread"))) float unheard() { return 0; } char last = '"';
