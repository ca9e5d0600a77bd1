// A right host side of the matrix addition, and a kernel that stores zeros.
// Here: solutions/lab1_naive/matrix_add.cu
// Instead of: A[Row * cols + Col] + B[Row * cols + Col]
// Comes: 0.0f
