// The driver interface (cuInit, cuLaunchKernel...) is not simulated; files that include this header
// for the runtime's types get those.
#pragma once

#include "cuda_runtime.h"
