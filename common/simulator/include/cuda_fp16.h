#error \
    "cuda_fp16.h is not available on the simulated device: it has no half precision, use float, or run on a card with DEVICE=gpu"
