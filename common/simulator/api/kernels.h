#pragma once

namespace cusim {

// Tests whether the function at this address was declared __global__.
bool isKernel(const void* function);

}  // namespace cusim
