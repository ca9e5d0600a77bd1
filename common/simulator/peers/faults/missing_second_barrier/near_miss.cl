// Finding: none
// One barrier a phase is enough here: the phases take turns with two tiles.
// Line by line the kernel of near_miss.cu.

kernel void fault(global const int* in, global int* out) {
    local int tile[2][16];
    int tx = get_local_id(0);
    int i = get_global_id(0);
    int sum = 0;
    for (int ph = 0; ph < 4; ++ph) {
        tile[ph % 2][tx] = in[ph * 16 + tx];
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += tile[ph % 2][15 - tx];
    }
    out[i] = sum;
}
