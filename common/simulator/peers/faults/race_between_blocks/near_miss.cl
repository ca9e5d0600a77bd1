// Finding: none
// The same 16 elements, but added to atomically.
// Line by line the kernel of near_miss.cu.

kernel void fault(global const int* in, global int* out) {
    int tx = get_local_id(0);
    int i = get_global_id(0);
    atomic_add(&out[tx], in[i]);
}
