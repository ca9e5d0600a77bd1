// A right host side, and a kernel that does nothing.
// Here: solutions/lab1_naive/kernel.cu
// Instead of: if (Row < Width && Col < Width) {
// Comes: if (false) {
