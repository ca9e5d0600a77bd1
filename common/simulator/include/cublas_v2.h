#error \
    "cublas_v2.h is not available on the simulated device: NVIDIA's libraries need a card, write the kernel yourself, or run on a card with DEVICE=gpu"
