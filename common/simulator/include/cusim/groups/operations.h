// The operations that reduce() and the scans take.
#pragma once

namespace cooperative_groups {

#define CUSIM_OPERATION(name, expression)                                   \
    template <class T>                                                      \
    struct name {                                                           \
        CUSIM_UNCHECKED T operator()(T a, T b) const { return expression; } \
    };
CUSIM_OPERATION(plus, a + b)
CUSIM_OPERATION(less, b < a ? b : a)
CUSIM_OPERATION(greater, a < b ? b : a)
CUSIM_OPERATION(bit_and, a& b)
CUSIM_OPERATION(bit_or, a | b)
CUSIM_OPERATION(bit_xor, a ^ b)
#undef CUSIM_OPERATION

}  // namespace cooperative_groups
