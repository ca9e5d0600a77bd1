// Atomic functions (CUDA C++ Programming Guide, "Atomic functions"). Each returns the old value.
// Each passes its source line to the simulated device before it accesses the memory.
#pragma once

#include <cstddef>

#include "cusim/access_mode.h"
#include "cusim/uncounted.h"

namespace cusim {

// Reports one atomic read-modify-write of `bytes` bytes by the calling thread; `place` is the
// return address into the kernel.
void atomicAccess(const void* address, std::size_t bytes, const void* place);
void atomicAccess(const void* address, std::size_t bytes, const void* place,
                  const AccessMode& mode);

}  // namespace cusim

// Compares and swaps until no other thread came between, which is right for every type and
// operation: `updated` is an expression of the values `old` and `value`. Macros, as each
// compilation would make templates anew that functions of this header call.
#define CUSIM_UPDATE(T, updated)                                                             \
    T old;                                                                                   \
    __atomic_load(address, &old, __ATOMIC_RELAXED);                                          \
    for (T wanted = updated; !__atomic_compare_exchange(address, &old, &wanted, false,       \
                                                        __ATOMIC_SEQ_CST, __ATOMIC_RELAXED); \
         wanted = updated) {                                                                 \
    }                                                                                        \
    return old;
#define CUSIM_ATOMIC_IN(name, ofScope, isUsed, T, updated)                          \
    CUSIM_UNCOUNTED inline T name(T* address, T value) {                            \
        cusim::AccessMode mode;                                                     \
        mode.scope = cusim::Scope::ofScope;                                         \
        mode.used = isUsed;                                                         \
        cusim::atomicAccess(address, sizeof(T), __builtin_return_address(0), mode); \
        CUSIM_UPDATE(T, updated)                                                    \
    }
#define CUSIM_ATOMIC(name, T, updated)                     \
    CUSIM_ATOMIC_IN(name, Device, true, T, updated)        \
    CUSIM_ATOMIC_IN(name##_block, Block, true, T, updated) \
    CUSIM_ATOMIC_IN(name##_system, Device, true, T, updated)
#define CUSIM_ATOMIC_INTEGERS(name, expression) \
    CUSIM_ATOMIC(name, int, expression)         \
    CUSIM_ATOMIC(name, unsigned, expression)    \
    CUSIM_ATOMIC(name, unsigned long long, expression)

CUSIM_ATOMIC_INTEGERS(atomicAdd, old + value)
CUSIM_ATOMIC(atomicAdd, float, old + value)
CUSIM_ATOMIC(atomicAdd, double, old + value)
CUSIM_ATOMIC(atomicSub, int, old - value)
CUSIM_ATOMIC(atomicSub, unsigned, old - value)
CUSIM_ATOMIC(atomicMin, long long, value < old ? value : old)
CUSIM_ATOMIC(atomicMax, long long, value > old ? value : old)
CUSIM_ATOMIC(atomicAnd, long long, old& value)
CUSIM_ATOMIC(atomicOr, long long, old | value)
CUSIM_ATOMIC(atomicXor, long long, old ^ value)
CUSIM_ATOMIC_INTEGERS(atomicMin, value < old ? value : old)
CUSIM_ATOMIC_INTEGERS(atomicMax, value > old ? value : old)
CUSIM_ATOMIC_INTEGERS(atomicAnd, old& value)
CUSIM_ATOMIC_INTEGERS(atomicOr, old | value)
CUSIM_ATOMIC_INTEGERS(atomicXor, old ^ value)
CUSIM_ATOMIC_INTEGERS(atomicExch, value)
CUSIM_ATOMIC(atomicExch, float, value)
// An atomicExch whose result is not used; the translator calls it so.
CUSIM_ATOMIC_IN(atomicSets, Device, false, int, value)
CUSIM_ATOMIC_IN(atomicSets, Device, false, unsigned, value)
CUSIM_ATOMIC_IN(atomicSets, Device, false, unsigned long long, value)
CUSIM_ATOMIC_IN(atomicSets, Device, false, float, value)
CUSIM_ATOMIC(atomicInc, unsigned, old >= value ? 0 : old + 1)
CUSIM_ATOMIC(atomicDec, unsigned, old == 0 || old > value ? value : old - 1)

#undef CUSIM_ATOMIC_INTEGERS
#undef CUSIM_ATOMIC
#undef CUSIM_ATOMIC_IN

// The loop is not shared, since the value compared and the value stored differ. Functions rather
// than a template let the operands have other types, as __double_as_longlong() has.
#define CUSIM_ATOMIC_CAS(T)                        \
    CUSIM_ATOMIC_CAS_IN(atomicCAS, Device, T)      \
    CUSIM_ATOMIC_CAS_IN(atomicCAS_block, Block, T) \
    CUSIM_ATOMIC_CAS_IN(atomicCAS_system, Device, T)
#define CUSIM_ATOMIC_CAS_IN(name, ofScope, T)                                          \
    CUSIM_UNCOUNTED inline T name(T* address, T compare, T value) {                    \
        cusim::AccessMode mode;                                                        \
        mode.scope = cusim::Scope::ofScope;                                            \
        mode.compared = &compare;                                                      \
        cusim::atomicAccess(address, sizeof(T), __builtin_return_address(0), mode);    \
        __atomic_compare_exchange_n(address, &compare, value, false, __ATOMIC_SEQ_CST, \
                                    __ATOMIC_SEQ_CST);                                 \
        return compare;                                                                \
    }
CUSIM_ATOMIC_CAS(int)
CUSIM_ATOMIC_CAS(unsigned)
CUSIM_ATOMIC_CAS(unsigned long long)
CUSIM_ATOMIC_CAS(unsigned short)

#undef CUSIM_ATOMIC_CAS
#undef CUSIM_ATOMIC_CAS_IN
