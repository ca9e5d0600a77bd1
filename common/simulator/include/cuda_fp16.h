// Stands in for NVIDIA's header of the same name: numbers of half precision.
#pragma once

#include "cusim/small_floats.h"

using __half = cusim::Small<cusim::HalfFormat>;
using __half2 = cusim::Small2<cusim::HalfFormat>;
using half = __half;
using half2 = __half2;

CUSIM_CONVERSIONS(half, __half, __half2)
CUSIM_AT_CALLER __half2 __halves2half2(__half x, __half y) { return {x, y}; }
CUSIM_AT_CALLER __half2 __lowhigh2highlow(__half2 v) { return {v.y, v.x}; }
CUSIM_AT_CALLER __half2 __lows2half2(__half2 a, __half2 b) { return {a.x, b.x}; }
CUSIM_AT_CALLER __half2 __highs2half2(__half2 a, __half2 b) { return {a.y, b.y}; }
