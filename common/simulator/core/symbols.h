// The running program's own symbol table, in which the compiler left the names of shared arrays
// and kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace cusim {

struct ThreadLocalSymbol {
    std::string mangled;
    std::size_t offset;  // from the start of the program's thread-local block
    std::size_t bytes;
};

// Variables with storage per host thread, by offset.
const std::vector<ThreadLocalSymbol>& threadLocalSymbols();
std::size_t threadLocalBytes();
// Where the calling host thread's block of them begins.
std::uintptr_t threadLocalBase();

// The mangled name of the function that starts at this address; empty where there is none.
std::string mangledName(const void* function);
// The mangled name of the variable of the program, global or static, that holds this address; empty
// where there is none.
std::string objectAt(std::uintptr_t address);
std::string demangled(const std::string& mangled);

// Whether the address lies in a function of the program that is neither the simulator's nor the
// standard library's: in a kernel, or in what it calls of its own.
bool isKernelCode(const void* address);

// Whether the address lies in memory of the program itself that nobody can write.
bool isReadOnlyData(std::uintptr_t address);

}  // namespace cusim
