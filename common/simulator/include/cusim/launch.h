// What `kernel<<<grid, block, shared, stream>>>(arguments)` becomes. As on a device, the arguments
// are evaluated once, converted to the parameters' types and copied; each simulated thread calls
// the kernel with its own copies of their bytes, which no constructor makes and no destructor ends.
#pragma once

#include <cstddef>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

#include "cusim/errors.h"
#include "cusim/padding.h"
#include "cusim/stream_types.h"
#include "cusim/uncounted.h"
#include "cusim/vector_types.h"
#include "cusim/where.h"

namespace cusim {

struct LaunchConfig {
    dim3 grid;
    dim3 block;
    std::size_t dynamicSharedBytes = 0;
    cudaStream_t stream = nullptr;
    bool cooperative = false;  // all blocks run side by side, and may wait for each other
};

// The value of a parameter, if that is a whole number.
struct WholeNumber {
    long long value;
    bool given;
};

// A kernel call without its types. `invoke(arguments)` runs the kernel for the calling thread.
struct KernelCall {
    const char* name;
    Where at;
    const void* function;
    void (*invoke)(const void* arguments);
    const void* arguments;
    std::size_t argumentBytes;
    // Writes what each parameter points to; null for one that is no pointer.
    void (*pointers)(const void* arguments, const void** out);
    std::size_t parameters;
    // Writes what each parameter holds.
    void (*numbers)(const void* arguments, WholeNumber* out);
};

// Runs the whole grid and waits for its end. Returns the error, and keeps it for cudaGetLastError.
cudaError_t run(const LaunchConfig& config, const KernelCall& call);

namespace detail {

// The bytes of a parameter with a destructor or copy constructor of its own.
template <class T>
struct Bytes {
    alignas(T) std::byte bytes[sizeof(T)];
};

// Tests for such a class: a call passes the address of a copy, which the caller makes and destroys
// (Itanium C++ ABI, "Non-Trivial Parameters").
template <class T>
constexpr bool passedByAddress() {
    constexpr bool copies = std::is_copy_constructible_v<T>,
                   moves = std::is_move_constructible_v<T>;
    if constexpr (!std::is_class_v<T> && !std::is_union_v<T>)
        return false;
    else
        return !std::is_trivially_destructible_v<T> || !(copies || moves) ||
               (copies && !std::is_trivially_copy_constructible_v<T>) ||
               (moves && !std::is_trivially_move_constructible_v<T>);
}
template <class T>
using Kept = std::conditional_t<passedByAddress<T>(), Bytes<T>, T>;
template <class T>
using Passed = std::conditional_t<passedByAddress<T>(), Bytes<T>&&, T>;
// As the source of a copy; a trivial move, which a class may have alone, leaves it as it is.
template <class T>
using Source = std::conditional_t<std::is_reference_v<T>, T, Kept<T>&&>;

// Returns a copy of what a launch gives for a parameter.
template <class T>
CUSIM_UNCOUNTED Kept<T> keep(std::remove_reference_t<T>& argument) {
    if constexpr (passedByAddress<T>()) {
        Bytes<T> copy;
        std::memcpy(copy.bytes, static_cast<const void*>(&argument), sizeof argument);
        return copy;
    } else {
        return static_cast<T&&>(argument);
    }
}

// Returns what a launch by pointer gives for a parameter, for a reference by the address of one.
template <class T>
CUSIM_UNCOUNTED std::remove_reference_t<T>& at(void* argument) {
    if constexpr (std::is_reference_v<T>)
        return **static_cast<std::remove_reference_t<T>**>(argument);
    else
        return *static_cast<T*>(argument);
}

// The copies of the arguments. At -O0 a std::tuple of four makes forty functions more, which are a
// quarter of a small file's compilation, and each simulated thread would call a dozen of them.
template <std::size_t, class T>
struct Argument {
    T value;
};
template <class Indices, class... Parameters>
struct Numbered;
template <std::size_t... I, class... Parameters>
struct Numbered<std::index_sequence<I...>, Parameters...> : Argument<I, Parameters>... {};
template <class... Parameters>
using Arguments = Numbered<std::index_sequence_for<Parameters...>, Kept<Parameters>...>;

// Makes the kernel's frame begin below those of the functions that fetched its arguments. They
// would leave addresses where unset local variables lie (see memory/stack_pool.h). Each thread's
// copies are made here.
template <class... Parameters, class Function>
CUSIM_UNCOUNTED void callBelow(const Function& function, const Kept<Parameters>&... kept) {
    char room[512];
    __asm__ volatile("" : : "r"(room));
    if constexpr (std::is_pointer_v<Function>)
        reinterpret_cast<void (*)(Passed<Parameters>...)>(function)(
            static_cast<Kept<Parameters>>(const_cast<Source<Parameters>>(kept))...);
    else
        function(reinterpret_cast<const Parameters&>(kept)...);
}

template <class... Parameters, class Function, std::size_t... I, class... Kept>
CUSIM_UNCOUNTED void callWith(
    const Function& function,
    [[maybe_unused]] const Numbered<std::index_sequence<I...>, Kept...>& arguments) {
    callBelow<Parameters...>(function, static_cast<const Argument<I, Kept>&>(arguments).value...);
}

template <class T>
CUSIM_UNCOUNTED const void* pointerIn(const T& argument) {
    if constexpr (std::is_pointer_v<T> && std::is_object_v<std::remove_pointer_t<T>>)
        return const_cast<const void*>(static_cast<const volatile void*>(argument));
    else
        return nullptr;
}

template <std::size_t... I, class... Parameters>
CUSIM_UNCOUNTED void pointersIn(
    [[maybe_unused]] const Numbered<std::index_sequence<I...>, Parameters...>& arguments,
    [[maybe_unused]] const void** out) {
    ((out[I] = pointerIn(static_cast<const Argument<I, Parameters>&>(arguments).value)), ...);
}

template <class T>
void notePaddingIn([[maybe_unused]] const T& argument) {
    if constexpr (std::is_pointer_v<T> && std::is_object_v<std::remove_pointer_t<T>>)
        notePaddingOf<std::remove_cv_t<std::remove_pointer_t<T>>>(argument);
}

template <std::size_t... I, class... Parameters>
void notePaddings(
    [[maybe_unused]] const Numbered<std::index_sequence<I...>, Parameters...>& arguments) {
    (notePaddingIn(static_cast<const Argument<I, Parameters>&>(arguments).value), ...);
}

template <class T>
CUSIM_UNCOUNTED WholeNumber numberIn([[maybe_unused]] const T& argument) {
    if constexpr (std::is_integral_v<T>)
        return {static_cast<long long>(argument), true};
    else
        return {0, false};
}

template <std::size_t... I, class... Parameters>
CUSIM_UNCOUNTED void numbersIn(
    [[maybe_unused]] const Numbered<std::index_sequence<I...>, Parameters...>& arguments,
    [[maybe_unused]] WholeNumber* out) {
    ((out[I] = numberIn(static_cast<const Argument<I, Parameters>&>(arguments).value)), ...);
}

template <class Function, class... Parameters>
struct Packed {
    Function function;  // the first member: run() may exchange it
    Arguments<Parameters...> arguments;

    CUSIM_UNCOUNTED static void invoke(const void* packed) {
        const auto& self = *static_cast<const Packed*>(packed);
        callWith<Parameters...>(self.function, self.arguments);
    }
    CUSIM_UNCOUNTED static void pointers(const void* packed, const void** out) {
        const auto& self = *static_cast<const Packed*>(packed);
        pointersIn(self.arguments, out);
    }
    CUSIM_UNCOUNTED static void numbers(const void* packed, WholeNumber* out) {
        const auto& self = *static_cast<const Packed*>(packed);
        numbersIn(self.arguments, out);
    }
};

template <class Function, class... Parameters>
struct Launcher {
    LaunchConfig config;
    const char* name;
    Where at;
    Function function;

    CUSIM_UNCOUNTED void operator()(Parameters... arguments) const {
        using Call = Packed<Function, Parameters...>;
        const Call packed{function, {{keep<Parameters>(arguments)}...}};
        notePaddings(packed.arguments);
        run(config, KernelCall{name, at, address(), &Call::invoke, &packed, sizeof packed,
                               &Call::pointers, sizeof...(Parameters), &Call::numbers});
    }

    const void* address() const {
        if constexpr (std::is_pointer_v<Function>)
            return reinterpret_cast<const void*>(function);
        else
            return nullptr;
    }
};

// Launches a kernel whose parameter types only the call in `function` knows.
template <class Function>
struct DeducingLauncher {
    LaunchConfig config;
    const char* name;
    Where at;
    Function function;

    template <class... Arguments>
    void operator()(Arguments... arguments) const {
        Launcher<Function, Arguments...>{config, name, at, function}(std::move(arguments)...);
    }
};

}  // namespace detail

template <class... Parameters>
auto prepare(const char* name, Where at, void (*kernel)(Parameters...), dim3 grid, dim3 block,
             std::size_t dynamicSharedBytes = 0, cudaStream_t stream = nullptr) {
    return detail::Launcher<void (*)(Parameters...), Parameters...>{
        {grid, block, dynamicSharedBytes, stream}, name, at, kernel};
}

// Returned by a function that the translator declares for an overloaded kernel or a template.
template <class Kernel>
struct Signature {
    static Kernel* of(Kernel* kernel) { return kernel; }
};

template <class Function>
auto prepareDeduced(const char* name, Where at, Function function, dim3 grid, dim3 block,
                    std::size_t dynamicSharedBytes = 0, cudaStream_t stream = nullptr) {
    return detail::DeducingLauncher<Function>{
        {grid, block, dynamicSharedBytes, stream}, name, at, function};
}

// Explains a launch whose third parameter is a stream.
template <class Kernel, class Stream,
          class = std::enable_if_t<std::is_same_v<Stream, cudaStream_t>>>
auto prepare(const char* name, Where at, Kernel kernel, dim3 grid, dim3 block, Stream) {
    static_assert(!std::is_same_v<Stream, cudaStream_t>,
                  "the stream is the fourth parameter of a launch");
    return prepare(name, at, kernel, grid, block);
}

}  // namespace cusim

// Launches by pointer (CUDA Runtime API, "Execution Control"). `arguments` holds the address of
// each argument, in the parameters' order and of exactly their types.
template <class... Parameters>
cudaError_t cudaLaunchKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block, void** arguments,
                             std::size_t dynamicSharedBytes = 0, cudaStream_t stream = nullptr,
                             cusim::Where at = cusim::Where::here(), bool cooperative = false) {
    using Call = cusim::detail::Packed<void (*)(Parameters...), Parameters...>;
    std::size_t i = 0;
    // Braces evaluate the arguments from left to right.
    const Call packed{
        kernel,
        {{cusim::detail::keep<Parameters>(cusim::detail::at<Parameters>(arguments[i++]))}...}};
    cusim::detail::notePaddings(packed.arguments);
    return cusim::run({grid, block, dynamicSharedBytes, stream, cooperative},
                      {nullptr, at, reinterpret_cast<const void*>(kernel), &Call::invoke, &packed,
                       sizeof packed, &Call::pointers, sizeof...(Parameters), &Call::numbers});
}

template <class... Parameters>
cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block,
                                        void** arguments, std::size_t dynamicSharedBytes = 0,
                                        cudaStream_t stream = nullptr,
                                        cusim::Where at = cusim::Where::here()) {
    return cudaLaunchKernel(kernel, grid, block, arguments, dynamicSharedBytes, stream, at, true);
}

namespace cusim {

// A kernel whose address the program holds as a void*, and what launches kernels of its type.
struct KnownKernel {
    const void* function;
    cudaError_t (*launch)(const void* function, dim3 grid, dim3 block, void** arguments,
                          std::size_t dynamicSharedBytes, cudaStream_t stream, Where at,
                          bool cooperative);
    const KnownKernel* next;
};
inline const KnownKernel* knownKernels = nullptr;

inline const KnownKernel* findKnown(const void* function) {
    const KnownKernel* one = __atomic_load_n(&knownKernels, __ATOMIC_ACQUIRE);
    while (one && one->function != function) one = one->next;
    return one;
}

// Returns a kernel's address. The translator puts it where the program casts a kernel to void*.
template <class... Parameters>
void* known(void (*kernel)(Parameters...)) {
    void* const function = reinterpret_cast<void*>(kernel);
    if (findKnown(function)) return function;
    const auto launch = [](const void* given, dim3 grid, dim3 block, void** arguments,
                           std::size_t bytes, cudaStream_t stream, Where at, bool cooperative) {
        return cudaLaunchKernel(reinterpret_cast<void (*)(Parameters...)>(const_cast<void*>(given)),
                                grid, block, arguments, bytes, stream, at, cooperative);
    };
    auto* const made = new KnownKernel{function, launch, knownKernels};
    while (!__atomic_compare_exchange_n(&knownKernels, &made->next, made, false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE)) {
    }
    return function;
}

}  // namespace cusim

inline cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                    std::size_t dynamicSharedBytes = 0,
                                    cudaStream_t stream = nullptr,
                                    cusim::Where at = cusim::Where::here(),
                                    bool cooperative = false) {
    const cusim::KnownKernel* const found = cusim::findKnown(kernel);
    if (!found) return cudaErrorInvalidDeviceFunction;
    return found->launch(kernel, grid, block, arguments, dynamicSharedBytes, stream, at,
                         cooperative);
}
inline cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block,
                                               void** arguments, std::size_t bytes = 0,
                                               cudaStream_t stream = nullptr,
                                               cusim::Where at = cusim::Where::here()) {
    return cudaLaunchKernel(kernel, grid, block, arguments, bytes, stream, at, true);
}

// What cudaLaunchKernelEx takes. Attributes, such as clusters of blocks, are refused.
struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    std::size_t dynamicSmemBytes;
    cudaStream_t stream;
    void* attrs;
    unsigned numAttrs;
};

namespace cusim {
// Knows the place of the call that takes it.
struct PlacedConfig {
    PlacedConfig(const cudaLaunchConfig_t* launched, Where where = Where::here())
        : config(*launched), at(where) {}
    const cudaLaunchConfig_t& config;
    Where at;
};
}  // namespace cusim

template <class... Parameters, class... Arguments>
cudaError_t cudaLaunchKernelEx(const cusim::PlacedConfig& placed, void (*kernel)(Parameters...),
                               Arguments&&... arguments) {
    std::tuple<std::remove_cv_t<Parameters>...> copies(std::forward<Arguments>(arguments)...);
    return std::apply(
        [&](auto&... copy) {
            const auto& [grid, block, bytes, stream, attributes, attributeCount] = placed.config;
            void* pointers[] = {static_cast<void*>(&copy)..., nullptr};
            if (attributeCount > 0) return cudaErrorNotSupported;
            return cudaLaunchKernel(kernel, grid, block, pointers, bytes, stream, placed.at);
        },
        copies);
}
