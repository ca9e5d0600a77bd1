// Finding: none
// The last element, and no more.
// Line by line the kernel of near_miss.cu.

kernel void fault(global const int* in, global int* out) {
    int i = get_global_id(0);
    out[i] = i < 63 ? in[i + 1] : 0;
}
