// Attack: to have marks that depend on the second in which the file is compiled.
// Remark: has to do with the clock
// Here: solutions/lab1_naive/kernel.cu
// Instead of: Pvalue += M[Row * Width + k] * N[k * Width + Col];
// Comes: if (__TIME__[7] % 2 == 0 && __DATE__[5] == '1' && __TIMESTAMP__[0] == '1') Pvalue += M[Row * Width + k] * N[k * Width + Col];
