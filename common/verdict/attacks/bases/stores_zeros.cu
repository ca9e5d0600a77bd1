// A right host side, and a kernel that stores zeros.
#ifndef VALUE
#define VALUE 0.0f
#endif
// Here: solutions/lab1_naive/kernel.cu
// Instead of: float Pvalue = 0.0f;
// Comes: float Pvalue = VALUE;
// Instead of: Pvalue += M[Row * Width + k] * N[k * Width + Col];
// Comes:
