// Stands in for NVIDIA's header of the same name: all that a .cu file of the labs sees. The build
// includes it in every .cu file, as nvcc does.
#pragma once

#ifndef __cplusplus
#error "CUDA for the simulated device is C++: name a C file that includes its headers .cpp or .cu"
#endif

// Programs ask for the guards of NVIDIA's headers, to see what is declared.
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __DRIVER_TYPES_H__

#define CUSIM_OWN_HEADERS  // see cmath
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <new>

#include "cusim/keywords.h"
// These come first because the others use their types.
#include "cusim/builtins.h"
#include "cusim/errors.h"
#include "cusim/vector_types.h"
//
#include "cusim/atomics.h"
#include "cusim/device_api.h"
#include "cusim/device_properties.h"
#include "cusim/launch.h"
#include "cusim/math_functions.h"
#include "cusim/math_intrinsics.h"
#include "cusim/math_rounding.h"
#include "cusim/math_special.h"
#include "cusim/memory_3d.h"
#include "cusim/memory_api.h"
#include "cusim/occupancy.h"
#include "cusim/shared_shapes.h"
#include "cusim/stream_api.h"
#include "cusim/unsupported.h"
#include "cusim/warp.h"
#undef CUSIM_OWN_HEADERS
