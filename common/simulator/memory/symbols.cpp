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
#include <map>

namespace cusim {
namespace {

struct Program {
    std::vector<ThreadLocalSymbol> threadLocals;
    struct Symbol {
        std::string_view mangled;  // in the mapped file
        std::size_t bytes;
    };
    using Symbols = std::map<std::uintptr_t, Symbol>;  // by address
    Symbols functions, objects;
    std::vector<std::pair<std::uintptr_t, std::uintptr_t>> readOnly;
    std::size_t threadLocalBytes = 0;
    std::size_t threadLocalModule = 0;
    std::uintptr_t base = 0;
    const char* file = nullptr;  // mapped; null if it cannot be read
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
    const char* const bytes = program.file = mapFile();
    if (!bytes) return;
    const auto* header = reinterpret_cast<const ElfW(Ehdr)*>(bytes);
    const auto* sections = reinterpret_cast<const ElfW(Shdr)*>(bytes + header->e_shoff);
    for (int i = 0; i < header->e_shnum; ++i) {
        if (sections[i].sh_type != SHT_SYMTAB) continue;
        const auto* symbol = reinterpret_cast<const ElfW(Sym)*>(bytes + sections[i].sh_offset);
        const char* names = bytes + sections[sections[i].sh_link].sh_offset;
        const std::size_t count = sections[i].sh_size / sizeof *symbol;
        for (const auto* end = symbol + count; symbol != end; ++symbol) {
            const int type = ELF64_ST_TYPE(symbol->st_info);
            if (symbol->st_shndx == SHN_UNDEF) continue;
            if (type == STT_TLS)
                program.threadLocals.push_back(
                    {names + symbol->st_name, symbol->st_value, symbol->st_size});
            if (type == STT_OBJECT || type == STT_FUNC)
                (type == STT_FUNC ? program.functions : program.objects)
                    .emplace(program.base + symbol->st_value,
                             Program::Symbol{names + symbol->st_name, symbol->st_size});
        }
    }
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

// Returns the mangled name of the symbol that holds this address, or nothing.
std::string_view nameAt(const Program::Symbols& symbols, std::uintptr_t address) {
    const auto next = symbols.upper_bound(address);
    if (next == symbols.begin()) return {};
    const auto& [start, symbol] = *std::prev(next);
    return address - start < symbol.bytes ? symbol.mangled : std::string_view{};
}

}  // namespace

const std::vector<ThreadLocalSymbol>& threadLocalSymbols() { return program().threadLocals; }
std::size_t threadLocalBytes() { return program().threadLocalBytes; }

bool isGuard(std::size_t offset, std::size_t bytes) {
#ifdef __aarch64__
    if (bytes != 8) return false;  // by that ABI g++ reads it whole
#else
    if (bytes != 1) return false;
#endif
    const auto& all = threadLocalSymbols();
    const auto found = std::lower_bound(
        all.begin(), all.end(), offset,
        [](const ThreadLocalSymbol& symbol, std::size_t wanted) { return symbol.offset < wanted; });
    return found != all.end() && found->offset == offset && found->mangled.rfind("_ZGV", 0) == 0;
}

std::uintptr_t threadLocalBase() {
    // Only the loader knows the address; dl_iterate_phdr returns the one of the calling thread.
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
    const auto found = program().functions.find(reinterpret_cast<std::uintptr_t>(function));
    return found == program().functions.end() ? "" : std::string(found->second.mangled);
}

std::string objectAt(std::uintptr_t address) {
    return std::string(nameAt(program().objects, address));
}

std::vector<Variable> variablesOfTemplate(const std::string& name) {
    std::vector<Variable> found;
    const std::string part = std::to_string(name.size()) + name + 'I';
    for (const auto& [start, symbol] : program().objects) {
        if (symbol.mangled.find(part) == std::string_view::npos) continue;
        std::string whole = demangled(std::string(symbol.mangled));
        const std::size_t end = whole.find(name + '<');
        const bool begins = end == 0 || (end < whole.size() && whole[end - 1] == ':');
        if (begins && whole.find('<') == end + name.size() && whole.back() == '>')
            found.push_back({reinterpret_cast<void*>(start), symbol.bytes, std::move(whole)});
    }
    return found;
}

std::uintptr_t staticVariable(const std::string& name, std::uintptr_t near) {
    const std::string part = std::to_string(name.size()) + name;  // also in a namespace
    const auto distance = [&](std::uintptr_t start) {
        return start < near ? near - start : start - near;
    };
    std::uintptr_t found = 0;
    for (const auto& [start, symbol] : program().objects)
        if (symbol.mangled.find(part) != std::string_view::npos &&
            (!found || distance(start) < distance(found)))
            found = start;
    return found;
}

std::string demangled(const std::string& mangled) {
    int status = 0;
    char* readable = abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status);
    std::string result = status == 0 ? readable : mangled;
    std::free(readable);
    return result;
}

bool isKernelCode(const void* address) {
    const std::string_view name =
        nameAt(program().functions, reinterpret_cast<std::uintptr_t>(address));
    if (name.empty()) return false;
    for (const char* const prefix : {"__tsan", "__wrap", "_ZNSt", "_ZSt", "_ZNKSt", "_ZN5boost",
                                     "_ZN5cusim", "_ZNK5cusim", "_ZZN5cusim", "_ZZNK5cusim"})
        if (name.rfind(prefix, 0) == 0) return false;
    return true;
}

bool isReadOnlyData(std::uintptr_t address) {
    for (const auto& [start, end] : program().readOnly)
        if (address >= start && address < end) return true;
    return false;
}

std::string_view programSection(std::string_view name) {
    const char* const file = program().file;
    if (!file) return {};
    const auto* header = reinterpret_cast<const ElfW(Ehdr)*>(file);
    const auto* sections = reinterpret_cast<const ElfW(Shdr)*>(file + header->e_shoff);
    const char* const names = file + sections[header->e_shstrndx].sh_offset;
    for (int i = 0; i < header->e_shnum; ++i)
        if (names + sections[i].sh_name == name && !(sections[i].sh_flags & SHF_COMPRESSED))
            return {file + sections[i].sh_offset, sections[i].sh_size};
    return {};
}

std::uintptr_t programBase() { return program().base; }

}  // namespace cusim
