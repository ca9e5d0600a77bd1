#error \
    "curand.h is not available on the simulated device: fill the array on the host with <random>, or run on a card with DEVICE=gpu"
