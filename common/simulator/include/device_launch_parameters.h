// Included by some files for threadIdx and its like, which cuda_runtime.h declares here.
#pragma once

#include "cuda_runtime.h"
