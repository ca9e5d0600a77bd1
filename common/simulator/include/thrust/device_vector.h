#error \
    "thrust/device_vector.h is not available on the simulated device: allocate with cudaMalloc, or run on a card with DEVICE=gpu"
