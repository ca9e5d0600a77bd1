#error \
    "thrust/host_vector.h is not available on the simulated device: use std::vector, or run on a card with DEVICE=gpu"
