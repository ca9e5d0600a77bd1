// The types of the runtime (cudaError_t, cudaStream_t...), which cuda_runtime.h declares here.
#include "cuda_runtime.h"
