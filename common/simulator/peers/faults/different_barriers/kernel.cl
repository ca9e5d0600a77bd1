// Finding: barrier-divergence
// Every thread arrives, but half of them at another call.
// Line by line the kernel of kernel.cu.

kernel void fault(global const int* in, global int* out) {
    int tx = get_local_id(0);
    int i = get_global_id(0);
    if (tx < 8) {
        barrier(CLK_LOCAL_MEM_FENCE);  // FAULT
    } else {
        barrier(CLK_LOCAL_MEM_FENCE);  // FAULT
    }
    out[i] = in[i];
}
