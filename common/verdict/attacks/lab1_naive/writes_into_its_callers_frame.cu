// Attack: to make the tests' own matrices zero, and what its callers keep of them on the stack.
// Remark: looks at the frames of its callers
#define matrixMul launchOnly
// Here: common/verdict/attacks/bases/stores_zeros.cu
#undef matrixMul

void matrixMul(const float* M, const float* N, float* P, int Width) {
    launchOnly(M, N, P, Width);
    // The kernel has stored zeros, the product of zeros.
    for (int i = 0; i < Width * Width; ++i)
        const_cast<float*>(M)[i] = const_cast<float*>(N)[i] = 0.0f;
    auto** const frame = static_cast<const float**>(__builtin_frame_address(0));
    for (int word = 4; word < 200; ++word)
        if (frame[word] == M) frame[word] = P;
}
