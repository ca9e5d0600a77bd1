#error \
    "cuda_pipeline.h is not available on the simulated device: copy with plain loads and use __syncthreads, or run on a card with DEVICE=gpu"
