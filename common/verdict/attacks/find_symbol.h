#pragma once

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <sstream>

// Returns the address at which this program holds the symbol of this name.
static char* find(const std::string& name, const std::string& near, void* here) {
    std::ostringstream all;
    all << std::ifstream("/proc/self/exe", std::ios::binary).rdbuf();
    static const std::string bytes = all.str();
    const char* const file = bytes.data();
    const auto* head = reinterpret_cast<const Elf64_Ehdr*>(file);
    const auto* sections = reinterpret_cast<const Elf64_Shdr*>(file + head->e_shoff);
    std::uintptr_t found = 0, own = 0;
    for (int i = 0; i < head->e_shnum; ++i) {
        if (sections[i].sh_type != SHT_SYMTAB) continue;
        const char* const names = file + sections[sections[i].sh_link].sh_offset;
        const auto* symbols = reinterpret_cast<const Elf64_Sym*>(file + sections[i].sh_offset);
        for (std::size_t s = 0; s < sections[i].sh_size / sizeof *symbols; ++s) {
            if (name == names + symbols[s].st_name) found = symbols[s].st_value;
            if (near == names + symbols[s].st_name) own = symbols[s].st_value;
        }
    }
    return found && own ? static_cast<char*>(here) - own + found : nullptr;
}
