// Some files include this for threadIdx and the like, which cuda_runtime.h declares here.
#include "cuda_runtime.h"
