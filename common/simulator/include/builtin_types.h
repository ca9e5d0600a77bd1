// The types of the runtime and of the language, which cuda_runtime.h declares here.
#include "cuda_runtime.h"
