// Finding: none
// The last element, and no more.
// Line by line the kernel of near_miss.cu.

kernel void fault(global const int* in, global int* out) {
    int i = get_global_id(0);
    if (i < 63) out[i + 1] = in[i];
}
