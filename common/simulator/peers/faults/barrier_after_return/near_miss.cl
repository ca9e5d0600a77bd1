// Finding: none
// Half of the blocks return before the barrier, each as a whole.
// Line by line the kernel of near_miss.cu.

kernel void fault(global const int* in, global int* out) {
    int i = get_global_id(0);
    if (get_group_id(0) >= 2) return;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = in[i];
}
