// Reads the running program's own symbol table, which holds the names of shared arrays and kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cusim {

struct ThreadLocalSymbol {
    std::string mangled;
    std::size_t offset;  // from the start of the program's thread-local block
    std::size_t bytes;
};

// Returns the thread-local variables, ordered by offset.
const std::vector<ThreadLocalSymbol>& threadLocalSymbols();
std::size_t threadLocalBytes();
// Tests for a read of the guard of a shared array of a class, such as __half: g++ uses it to know
// whether the array is constructed. It needs no check.
bool isGuard(std::size_t offset, std::size_t bytes);
// Returns the start of the calling host thread's block of thread-local variables.
std::uintptr_t threadLocalBase();

// Returns the mangled name of the function that starts at this address, or nothing.
std::string mangledName(const void* function);
// Returns the mangled name of the global or static variable that holds this address, or nothing.
std::string objectAt(std::uintptr_t address);
struct Variable {
    void* start;
    std::size_t bytes;
    std::string name;  // such as table<float>
};
// Returns the program's variables that are instances of a template of this name.
std::vector<Variable> variablesOfTemplate(const std::string& name);
// Returns the address of a static variable of this name, of several the nearest to `near`, which is
// in the same file; 0 if there is none.
std::uintptr_t staticVariable(const std::string& name, std::uintptr_t near);
std::string demangled(const std::string& mangled);

// Tests whether the address lies in a kernel or in another function of the program, but not in the
// simulator or the standard library.
bool isKernelCode(const void* address);

// Tests whether the address lies in memory of the program that nothing can write.
bool isReadOnlyData(std::uintptr_t address);

// Returns a section of the program's file, such as ".debug_line"; empty if it is not there, or
// compressed.
std::string_view programSection(std::string_view name);
// Returns what the loader has added to the addresses in the file.
std::uintptr_t programBase();

}  // namespace cusim
