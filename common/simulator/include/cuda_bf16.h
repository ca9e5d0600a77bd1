#error \
    "cuda_bf16.h is not available on the simulated device: it has no bfloat16, use float, or run on a card with DEVICE=gpu"
