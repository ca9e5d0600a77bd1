// Finding: barrier-divergence
// Half of the threads return before the barrier.
// On a GPU these count as arrived; the course asks every thread to come to the barrier.

kernel void fault(global const int* in, global int* out) {
    int tx = get_local_id(0);
    int i = get_global_id(0);
    if (tx >= 8) return;
    barrier(CLK_LOCAL_MEM_FENCE);  // FAULT
    out[i] = in[i];
}
