// The profiler's control, which cuda_runtime.h declares here.
#include "cuda_runtime.h"
