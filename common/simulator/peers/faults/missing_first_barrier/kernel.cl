// Finding: race
// Tiled multiplication: a thread reads elements that others may still be loading.
// Differs: unset-read 18: Oclgrind runs one thread up to its barrier, then the next

kernel void fault(global const int* in, global int* out) {
    local int Mds[4][4], Nds[4][4];
    int tx = get_local_id(0), ty = get_local_id(1);
    int Row = get_group_id(1) * 4 + ty, Col = get_group_id(0) * 4 + tx;
    int Pvalue = 0;
    for (int ph = 0; ph < 2; ++ph) {
        Mds[ty][tx] = in[Row * 8 + ph * 4 + tx];    // FAULT
        Nds[ty][tx] = in[(ph * 4 + ty) * 8 + Col];  // FAULT
        for (int k = 0; k < 4; ++k) {
            Pvalue += Mds[ty][k] * Nds[k][tx];  // FAULT
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[Row * 8 + Col] = Pvalue;
}
