// Finding: out-of-bounds
// The last thread reads one element past the end.
// Differs: unset-read 7: Oclgrind goes on with a value of its own, and follows it

kernel void fault(global const int* in, global int* out) {
    int i = get_global_id(0);
    out[i] = in[i + 1];  // FAULT
}
