// Everything mathematical that device code may use without including a header.
#pragma once

#include "math_conversions.h"
#include "math_functions.h"
#include "math_intrinsics.h"
#include "math_special.h"
