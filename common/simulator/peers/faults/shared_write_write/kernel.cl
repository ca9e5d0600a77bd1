// Finding: race
// Two threads store into each element.
// Line by line the kernel of kernel.cu.

kernel void fault(global const int* in, global int* out) {
    local int tile[16];
    int tx = get_local_id(0);
    int i = get_global_id(0);
    tile[tx] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[tx / 2] = in[i] + tx;  // FAULT
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = tile[tx];
}
