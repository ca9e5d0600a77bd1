// Here: solutions/lab4_memtypes/kernel.cu
// Instead of: Pvalue[i] += Mds[r * tileWidth + k] * Nds[k * tileWidth + tx];
// Comes: int Row = blockIdx.y * tileWidth + r, at = ph * tileWidth + k; if (Row < Width && at < Width && Col < Width) Pvalue[i] += M[Row * Width + at] * N[at * Width + Col];
