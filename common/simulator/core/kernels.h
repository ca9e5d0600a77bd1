#pragma once

namespace cusim {

// Whether the function that starts at this address was declared __global__.
bool isKernel(const void* function);

}  // namespace cusim
