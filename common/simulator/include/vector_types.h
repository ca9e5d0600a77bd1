// The vector types, which cuda_runtime.h declares here.
#include "cuda_runtime.h"
