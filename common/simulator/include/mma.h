#error \
    "mma.h is not available on the simulated device: it has no tensor cores, multiply with plain loops, or run on a card with DEVICE=gpu"
