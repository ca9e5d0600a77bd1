// Finding: none
// Only half of the tile is stored, and only that half is read.
// Line by line the kernel of near_miss.cu.

kernel void fault(global const int* in, global int* out) {
    local int tile[16];
    int tx = get_local_id(0);
    int i = get_global_id(0);
    if (tx < 8) tile[tx] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = tile[tx / 2];
}
