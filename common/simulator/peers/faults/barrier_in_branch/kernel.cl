// Finding: barrier-divergence
// Half of the threads wait here while the others go on to the next barrier.
// Differs: barrier-divergence 11: Oclgrind lets the threads go on after its report

kernel void fault(global const int* in, global int* out) {
    int tx = get_local_id(0);
    int i = get_global_id(0);
    if (tx < 8) {
        barrier(CLK_LOCAL_MEM_FENCE);  // FAULT
    }
    barrier(CLK_LOCAL_MEM_FENCE);  // FAULT
    out[i] = in[i];
}
