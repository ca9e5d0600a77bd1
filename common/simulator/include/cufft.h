#error \
    "cufft.h is not available on the simulated device: NVIDIA's libraries need a card, compute the transform yourself, or run on a card with DEVICE=gpu"
