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
// Tests for a read of the guard by which g++ knows whether it has made a shared array of a class,
// such as __half, for which there is nothing to do.
bool isGuard(std::size_t offset, std::size_t bytes);
// Returns where the calling host thread's block of thread-local variables begins.
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
// Returns the program's variables that are made of a template of this name.
std::vector<Variable> variablesOfTemplate(const std::string& name);
// Returns where a static variable of this name begins, of several the nearest to an address, as of
// the same file; 0 if there is none.
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
