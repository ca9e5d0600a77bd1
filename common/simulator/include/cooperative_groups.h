#error \
    "cooperative_groups.h is not available on the simulated device: use __syncthreads and the __shfl functions, or run on a card with DEVICE=gpu"
