// Tries: to hand in the solution that lies beside the grader.
// Gets: refused: #include names a file that is not beside it
// Remark: includes a file that is not a header
#include "../../../solutions/lab1_naive/kernel.cu"
