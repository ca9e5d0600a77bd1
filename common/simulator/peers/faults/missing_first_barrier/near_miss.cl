// Finding: none
// No barrier either, but each thread reads only the element that it stored.
// Line by line the kernel of near_miss.cu.

kernel void fault(global const int* in, global int* out) {
    local int tile[16];
    int tx = get_local_id(0);
    int i = get_global_id(0);
    tile[tx] = in[i];
    out[i] = tile[tx];
}
