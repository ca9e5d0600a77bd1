// Stands in for NVIDIA's header of the same name: numbers with a float's range in 16 bits.
#pragma once

#include "cusim/small_floats.h"

using __nv_bfloat16 = cusim::Small<cusim::BfloatFormat>;
using __nv_bfloat162 = cusim::Small2<cusim::BfloatFormat>;
using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;

CUSIM_CONVERSIONS(bfloat16, __nv_bfloat16, __nv_bfloat162)
CUSIM_AT_CALLER __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) {
    return {x, y};
}
CUSIM_AT_CALLER __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 v) { return {v.y, v.x}; }
