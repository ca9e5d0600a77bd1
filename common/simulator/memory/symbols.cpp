// ELF as in the System V gABI, chapter 4 ("Symbol Table", "Program Header").
#include "simulator/memory/symbols.h"

#include <cxxabi.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string_view>

namespace cusim {
namespace {

struct Symbol {
    std::uintptr_t address;
    std::size_t bytes;
    const char* name;  // mangled
};

// Those of a kind, in the order of their addresses, each address once.
using Symbols = std::vector<Symbol>;

struct Program {
    std::vector<ThreadLocalSymbol> threadLocals;
    Symbols functions;
    Symbols objects;
    std::vector<std::pair<std::uintptr_t, std::uintptr_t>> readOnly;
    std::size_t threadLocalBytes = 0;
    std::size_t threadLocalModule = 0;
    std::uintptr_t base = 0;
};

int readSegments(dl_phdr_info* info, std::size_t, void* out) {
    auto& program = *static_cast<Program*>(out);
    program.base = info->dlpi_addr;
    program.threadLocalModule = info->dlpi_tls_modid;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr)& segment = info->dlpi_phdr[i];
        const std::uintptr_t start = info->dlpi_addr + segment.p_vaddr;
        if (segment.p_type == PT_TLS) program.threadLocalBytes = segment.p_memsz;
        // The loader alone writes tables of virtual functions, so they count as read-only.
        if ((segment.p_type == PT_LOAD && !(segment.p_flags & PF_W)) ||
            segment.p_type == PT_GNU_RELRO)
            program.readOnly.emplace_back(start, start + segment.p_memsz);
    }
    return 1;  // the first entry is the program itself
}

void sort(Symbols& symbols) {
    std::stable_sort(symbols.begin(), symbols.end(),
                     [](const Symbol& a, const Symbol& b) { return a.address < b.address; });
    const auto same = [](const Symbol& a, const Symbol& b) { return a.address == b.address; };
    symbols.erase(std::unique(symbols.begin(), symbols.end(), same), symbols.end());
}

// Returns the symbol whose bytes hold an address, nullptr where there is none.
const Symbol* symbolAt(const Symbols& symbols, std::uintptr_t address) {
    const auto above =
        std::upper_bound(symbols.begin(), symbols.end(), address,
                         [](std::uintptr_t at, const Symbol& one) { return at < one.address; });
    if (above == symbols.begin()) return nullptr;
    const Symbol& found = *std::prev(above);
    return address - found.address < found.bytes ? &found : nullptr;
}

// Maps the program's file for as long as the program runs, because the names stay there.
const char* mapFile() {
    const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    struct stat about {};
    if (file < 0 || fstat(file, &about) != 0) return nullptr;
    void* const bytes = mmap(nullptr, about.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    return bytes == MAP_FAILED ? nullptr : static_cast<const char*>(bytes);
}

void readSymbols(Program& program) {
    const char* const bytes = mapFile();
    if (!bytes) return;
    const auto* header = reinterpret_cast<const ElfW(Ehdr)*>(bytes);
    const auto* sections = reinterpret_cast<const ElfW(Shdr)*>(bytes + header->e_shoff);
    for (int i = 0; i < header->e_shnum; ++i) {
        if (sections[i].sh_type != SHT_SYMTAB) continue;
        const auto* symbol = reinterpret_cast<const ElfW(Sym)*>(bytes + sections[i].sh_offset);
        const char* names = bytes + sections[sections[i].sh_link].sh_offset;
        for (const auto* end = symbol + sections[i].sh_size / sizeof *symbol; symbol != end;
             ++symbol) {
            if (symbol->st_shndx == SHN_UNDEF) continue;
            const char* const name = names + symbol->st_name;
            const Symbol here{program.base + symbol->st_value, symbol->st_size, name};
            switch (ELF64_ST_TYPE(symbol->st_info)) {
                case STT_TLS:
                    program.threadLocals.push_back({name, symbol->st_value, symbol->st_size});
                    break;
                case STT_OBJECT:
                    program.objects.push_back(here);
                    break;
                case STT_FUNC:
                    program.functions.push_back(here);
                    break;
            }
        }
    }
    sort(program.functions);
    sort(program.objects);
    std::sort(program.threadLocals.begin(), program.threadLocals.end(),
              [](const auto& a, const auto& b) { return a.offset < b.offset; });
}

const Program& program() {
    static const Program p = [] {
        Program read;
        dl_iterate_phdr(readSegments, &read);
        readSymbols(read);
        return read;
    }();
    return p;
}

}  // namespace

const std::vector<ThreadLocalSymbol>& threadLocalSymbols() { return program().threadLocals; }
std::size_t threadLocalBytes() { return program().threadLocalBytes; }

std::uintptr_t threadLocalBase() {
    // Only the loader knows the address; dl_iterate_phdr returns that of the calling thread.
    std::uintptr_t base = 0;
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* out) {
            *static_cast<std::uintptr_t*>(out) =
                reinterpret_cast<std::uintptr_t>(info->dlpi_tls_data);
            return 1;
        },
        &base);
    return base;
}

std::string mangledName(const void* function) {
    const auto address = reinterpret_cast<std::uintptr_t>(function);
    const Symbol* const found = symbolAt(program().functions, address);
    return found && found->address == address ? found->name : "";
}

std::string objectAt(std::uintptr_t address) {
    const Symbol* const found = symbolAt(program().objects, address);
    return found ? found->name : "";
}

std::string demangled(const std::string& mangled) {
    int status = 0;
    char* readable = abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status);
    std::string result = status == 0 ? readable : mangled;
    std::free(readable);
    return result;
}

bool isKernelCode(const void* address) {
    const Symbol* const found =
        symbolAt(program().functions, reinterpret_cast<std::uintptr_t>(address));
    if (!found) return false;
    const std::string_view name = found->name;
    for (const char* const prefix : {"__tsan", "__wrap", "_ZNSt", "_ZSt", "_ZNKSt", "_ZN5boost"})
        if (name.rfind(prefix, 0) == 0) return false;
    return name.find("5cusim") == name.npos;
}

bool isReadOnlyData(std::uintptr_t address) {
    for (const auto& [start, end] : program().readOnly)
        if (address >= start && address < end) return true;
    return false;
}

}  // namespace cusim
