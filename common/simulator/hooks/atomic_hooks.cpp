// The hooks of -fsanitize=thread for std::atomic, the __atomic built-ins and the guards of local
// statics. Unlike the other hooks these replace the operation, so they perform it.
#include <cstdint>

#include "simulator/hooks/hooks.h"
#include "simulator/include/cusim/atomics.h"
#include "simulator/include/cusim/builtins.h"

namespace {

// Notes the accesses to the expected value of a compare-and-swap: it gets the word's value if the
// two differ.
template <class T>
void noteExpected(const T* expected, const void* place) {
    cusim::unannounced(expected, sizeof *expected, cusim::AccessKind::Load, place);
    cusim::unannounced(expected, sizeof *expected, cusim::AccessKind::Store, place);
}

// Returns the mode of an atomic with this order, such as __ATOMIC_RELAXED.
cusim::AccessMode modeOf(int order, bool reads, bool writes) {
    cusim::AccessMode mode;
    mode.acquires = reads && order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE;
    mode.releases = writes && (order == __ATOMIC_RELEASE || order >= __ATOMIC_ACQ_REL);
    mode.reads = reads;
    mode.writes = writes;
    return mode;
}

}  // namespace

#define CUSIM_NOTE(reads, writes)                                                       \
    cusim::atomicAccess(const_cast<const void*>(static_cast<const volatile void*>(at)), \
                        sizeof *at, __builtin_return_address(0), modeOf(order, reads, writes))
#define CUSIM_FETCH(bits, name)                                                                  \
    T##bits __tsan_atomic##bits##_fetch_##name(volatile T##bits* at, T##bits value, int order) { \
        CUSIM_NOTE(true, true);                                                                  \
        return __atomic_fetch_##name(at, value, __ATOMIC_SEQ_CST);                               \
    }
#define CUSIM_COMPARE(bits, name)                                                              \
    int __tsan_atomic##bits##_compare_exchange_##name(volatile T##bits* at, T##bits* expected, \
                                                      T##bits value, int order, int) {         \
        CUSIM_NOTE(true, true);                                                                \
        noteExpected(expected, __builtin_return_address(0));                                   \
        return __atomic_compare_exchange_n(at, expected, value, false, __ATOMIC_SEQ_CST,       \
                                           __ATOMIC_SEQ_CST);                                  \
    }
#define CUSIM_ATOMICS(bits)                                                                    \
    using T##bits = std::uint##bits##_t;                                                       \
    T##bits __tsan_atomic##bits##_load(const volatile T##bits* at, int order) {                \
        CUSIM_NOTE(true, false);                                                               \
        return __atomic_load_n(at, __ATOMIC_SEQ_CST);                                          \
    }                                                                                          \
    void __tsan_atomic##bits##_store(volatile T##bits* at, T##bits value, int order) {         \
        CUSIM_NOTE(false, true);                                                               \
        __atomic_store_n(at, value, __ATOMIC_SEQ_CST);                                         \
    }                                                                                          \
    T##bits __tsan_atomic##bits##_exchange(volatile T##bits* at, T##bits value, int order) {   \
        CUSIM_NOTE(true, true);                                                                \
        return __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST);                               \
    }                                                                                          \
    T##bits __tsan_atomic##bits##_compare_exchange_val(volatile T##bits* at, T##bits expected, \
                                                       T##bits value, int order, int) {        \
        CUSIM_NOTE(true, true);                                                                \
        __atomic_compare_exchange_n(at, &expected, value, false, __ATOMIC_SEQ_CST,             \
                                    __ATOMIC_SEQ_CST);                                         \
        return expected;                                                                       \
    }                                                                                          \
    CUSIM_COMPARE(bits, strong)                                                                \
    CUSIM_COMPARE(bits, weak)                                                                  \
    CUSIM_FETCH(bits, add)                                                                     \
    CUSIM_FETCH(bits, sub)                                                                     \
    CUSIM_FETCH(bits, and)                                                                     \
    CUSIM_FETCH(bits, or)                                                                      \
    CUSIM_FETCH(bits, xor)                                                                     \
    CUSIM_FETCH(bits, nand)

// The compilers fix the names and signatures (gcc/sanitizer.def; LLVM's ThreadSanitizer pass).
// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
extern "C" {
CUSIM_ATOMICS(8)
CUSIM_ATOMICS(16)
CUSIM_ATOMICS(32)
CUSIM_ATOMICS(64)
void __tsan_atomic_thread_fence(int) { __threadfence(); }
void __tsan_atomic_signal_fence(int) {}
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
