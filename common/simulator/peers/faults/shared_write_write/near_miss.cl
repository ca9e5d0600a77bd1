// Finding: none
// One thread stores into each element: the even ones.
// Line by line the kernel of near_miss.cu.

kernel void fault(global const int* in, global int* out) {
    local int tile[16];
    int tx = get_local_id(0);
    int i = get_global_id(0);
    tile[tx] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (tx % 2 == 0) tile[tx / 2] = in[i] + tx;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = tile[tx];
}
