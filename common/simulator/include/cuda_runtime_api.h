// The runtime's C interface, which cuda_runtime.h declares here.
#include "cuda_runtime.h"
