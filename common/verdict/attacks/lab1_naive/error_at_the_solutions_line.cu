// Attack: to have the compiler show a line of the solution, by #line.
// Remark: names a file of another place by #line
// Never: float Pvalue|Row < Width
#include <cuda_runtime.h>
#line 24 "COURSE_ROOT/solutions/lab1_naive/kernel.cu"
no_such_type matrixMul;
