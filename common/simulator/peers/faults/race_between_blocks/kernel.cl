// Finding: race
// Every block adds to the same 16 elements, and no barrier reaches across blocks.
// Line by line the kernel of kernel.cu.

kernel void fault(global const int* in, global int* out) {
    int tx = get_local_id(0);
    int i = get_global_id(0);
    int sum = out[tx];      // FAULT
    out[tx] = sum + in[i];  // FAULT
}
