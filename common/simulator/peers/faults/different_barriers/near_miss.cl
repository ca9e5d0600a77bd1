// Finding: none
// Two calls as well, but all threads of a block arrive at the same one.
// Line by line the kernel of near_miss.cu.

kernel void fault(global const int* in, global int* out) {
    int i = get_global_id(0);
    if (get_group_id(0) < 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
    } else {
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[i] = in[i];
}
