// Finding: out-of-bounds
// The last thread writes one element past the end.
// Line by line the kernel of kernel.cu.

kernel void fault(global const int* in, global int* out) {
    int i = get_global_id(0);
    out[i + 1] = in[i];  // FAULT
}
