#error \
    "curand_kernel.h is not available on the simulated device: draw the numbers on the host with <random>, or run on a card with DEVICE=gpu"
