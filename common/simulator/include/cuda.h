// The driver interface (cuInit, cuLaunchKernel...) is not simulated. Files that include this header
// for the runtime's types get those.
#include "cuda_runtime.h"
