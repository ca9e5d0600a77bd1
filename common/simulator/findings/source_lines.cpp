#include "simulator/findings/source_lines.h"

#include <backtrace.h>
#include <link.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <utility>

#include "simulator/findings/own_files.h"

// Shows libbacktrace only the program, which is the first entry: student code is in no library, and
// reading libraries with debug information took five times as long as everything else.
using Callback = int (*)(dl_phdr_info*, std::size_t, void*);
extern "C" int __real_dl_iterate_phdr(Callback callback, void* data);
extern "C" int __wrap_dl_iterate_phdr(Callback callback, void* data) {
    std::pair<Callback, void*> asked{callback, data};
    return __real_dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t bytes, void* out) {
            const auto& [wanted, its] = *static_cast<std::pair<Callback, void*>*>(out);
            wanted(info, bytes, its);
            return 1;
        },
        &asked);
}

namespace cusim {
namespace {

void ignoreError(void*, const char*, int) {}

backtrace_state* state() {
    static backtrace_state* const s = backtrace_create_state(nullptr, 1, ignoreError, nullptr);
    return s;
}

// Tests for code of the simulator, except for its tests and benchmarks, which contain kernels.
bool isSimulator(const std::string& file) {
    for (const char* const room : {"include", "findings", "memory", "observers", "engine",
                                   "explain", "hooks", "api", "model", "program"})
        if (file.find(std::string("common/simulator/") + room + "/") != std::string::npos)
            return true;
    for (const char* const folder : {"/include/c++/", "-gnu/c++/"})
        if (file.find(folder) != std::string::npos) return true;
    return false;
}

int collect(void* out, std::uintptr_t, const char* file, int line, const char* function) {
    if (file && !isSimulator(file))
        static_cast<std::vector<SourceLine>*>(out)->push_back(
            {{file, line}, function ? function : ""});
    return 0;
}

}  // namespace

SourceLine placeOf(const void* returnAddress) {
    std::vector<SourceLine> places;
    // The call ends one byte before its return address.
    backtrace_pcinfo(state(), reinterpret_cast<std::uintptr_t>(returnAddress) - 1, collect,
                     ignoreError, &places);
    return places.empty() ? SourceLine{} : places.front();
}

std::vector<SourceLine> callers() {
    std::vector<SourceLine> places;
    backtrace_full(state(), 1, collect, ignoreError, &places);
    return places;
}

bool calledByDestructor() {
    bool found = false;
    const auto look = [](void* out, std::uintptr_t, const char*, int, const char* function) {
        const std::string name = function ? function : "";
        // As in the source, or as the linker has it: _ZN6BufferD2Ev.
        const std::string end = name.substr(name.size() - std::min<std::size_t>(name.size(), 4));
        const bool is = name.rfind('~', 0) == 0 ||
                        (name.rfind("_ZN", 0) == 0 && end[0] == 'D' && end.substr(2) == "Ev");
        *static_cast<bool*>(out) |= is;
        return is ? 1 : 0;
    };
    backtrace_full(state(), 1, look, ignoreError, &found);
    return found;
}

std::string sourceText(const std::string& file) {
    if (!mayShow(file)) return "";
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::string sourceLine(const std::string& file, int line) {
    if (file.empty() || !mayShow(file)) return "";
    std::ifstream in(file);
    std::string text;
    for (int i = 0; i < line; ++i)
        if (!std::getline(in, text)) return "";
    const std::size_t start = text.find_first_not_of(" \t");
    if (start == std::string::npos) return "";
    while (!text.empty() && (text.back() == '\r' || text.back() == ' ')) text.pop_back();
    return text.substr(start);
}

}  // namespace cusim
