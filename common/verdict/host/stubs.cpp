// Replaces the runtime's functions for student code and for tests. In the process of the host each
// stub calls the device's process; elsewhere it calls the function itself. The build gives the
// stubs' names to the calls (see host_names.py).
#include "simulator/engine/runtime.h"
#include "verdict/host/asking.h"
#include "verdict/host/calls.h"

namespace host {
namespace {

// True for the functions that the host's process runs as well, after the device's: it then has the
// same memory at the same addresses, shared if it may use it.
template <auto function>
constexpr bool kAlsoHere =
    kSame<function, &cusim::allocate> || kSame<function, &cudaFree> ||
    kSame<function, &cudaFreeAsync> || kSame<function, &cudaFreeHost> ||
    kSame<function, &cudaDeviceReset> || kSame<function, &cusim::registerVariable>;

template <class T>
void give(testing::ByteWriter& writer, T argument) {
    if constexpr (kIsOut<T>) {
        put(writer, argument != nullptr);
        if (argument) put(writer, *argument);
    } else {
        put(writer, argument);
    }
}

template <class T>
void takeBack(testing::ByteReader& answer, [[maybe_unused]] T argument) {
    if constexpr (kIsOut<T>) *argument = take<std::remove_pointer_t<T>>(answer);
}

}  // namespace

template <auto function>
struct Stub;

template <class Result, class... Parameters, Result (*function)(Parameters...)>
struct Stub<function> {
    static Result call(Parameters... arguments) {
        if (!inHostProcess()) return function(arguments...);
        testing::ByteWriter writer;
        writer(numberOf<function>(Forwarded{}));
        (give(writer, arguments), ...);
        const std::string said = ask(writer.bytes());
        if constexpr (kAlsoHere<function>) quietly([&] { function(arguments...); });
        testing::ByteReader answer(said);
        if constexpr (std::is_void_v<Result>) {
            return;
        } else {
            const auto result = take<Result>(answer);
            // A null pointer crashes here, as the function itself does elsewhere.
            if constexpr (kTakesNull<function>)
                ((kIsOut<Parameters> && !isNull(arguments) ? takeBack(answer, arguments) : void()),
                 ...);
            else
                (takeBack(answer, arguments), ...);
            return result;
        }
    }

  private:
    template <class T>
    static bool isNull([[maybe_unused]] T argument) {
        if constexpr (std::is_pointer_v<T>) return argument == nullptr;
        return false;
    }
};

template <>
struct Stub<&cusim::run> {
    static cudaError_t call(const cusim::LaunchConfig& config, const cusim::KernelCall& kernel) {
        if (!inHostProcess()) return cusim::run(config, kernel);
        testing::ByteWriter writer;
        writer(numberOf<&cusim::run>(Forwarded{}));
        put(writer, config);
        put(writer, kernel);
        writer(std::string_view(static_cast<const char*>(kernel.arguments), kernel.argumentBytes));
        const std::string said = ask(writer.bytes());
        testing::ByteReader answer(said);
        return take<cudaError_t>(answer);
    }
};

namespace {

template <auto... all>
void* const* addresses(Functions<all...>) {
    static void* const stubs[] = {reinterpret_cast<void*>(&Stub<all>::call)...};
    return stubs;
}

}  // namespace

// Keeps all of them in the program.
extern void* const* const stubs;
void* const* const stubs = addresses(Forwarded{});

}  // namespace host
