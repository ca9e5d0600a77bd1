// Stands in for NVIDIA's header of the same name.
#pragma once

#include "cuda_pipeline_primitives.h"
