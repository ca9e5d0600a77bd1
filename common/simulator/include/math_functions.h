// Declares nothing of its own, like the other headers of one line: cuda_runtime.h has it all.
#include "cuda_runtime.h"
