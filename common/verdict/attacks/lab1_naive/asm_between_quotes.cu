// Attack: assembly between two characters that a reader of quotes takes for the ends of a text
// Remark: not accepted: .*'asm'
// Here: solutions/lab1_naive/kernel.cu
static char first = '"'; static void sleeps() { asm("nop"); } static char second = '"';
