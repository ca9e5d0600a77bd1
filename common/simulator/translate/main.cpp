// translate [--expt-relaxed-constexpr] KERNEL.cu OUT.cpp [SHOWN_NAME [HEADERS [FOR_DEVICE]]]:
// writes the C++ form of a .cu file, or, with the folder of the simulator's headers, of what a
// preprocessor wrote; FOR_DEVICE is what it wrote with __CUDA_ARCH__. Exit status 1 for an error in
// the file, 2 for wrong usage or a file that cannot be read or written.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string_view>

#include "simulator/translate/translate.h"

namespace {

std::string textOf(const char* path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) {
        std::fprintf(stderr, "%s: cannot be read; check the path\n", path);
        std::exit(2);
    }
    return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

int main(int argc, char** argv) {
    translate::relaxedConstexpr =
        argc > 1 && std::string_view(argv[1]) == "--expt-relaxed-constexpr";
    argc -= translate::relaxedConstexpr;
    argv += translate::relaxedConstexpr;
    if (argc < 3 || argc > 6) {
        std::fputs(
            "usage: translate [--expt-relaxed-constexpr] KERNEL.cu OUT.cpp "
            "[SHOWN_NAME [HEADERS [FOR_DEVICE]]]\n",
            stderr);
        return 2;
    }
    const std::string text = textOf(argv[1]), device = argc > 5 ? textOf(argv[5]) : "";
    std::string warnings;
    try {
        const std::string name = argc > 3 ? argv[3] : argv[1];
        const std::string result =
            argc > 5   ? translate::translateBothSides(text, device, name, argv[4], warnings)
            : argc > 4 ? translate::translatePreprocessed(text, name, argv[4])
                       : translate::translate(text, name);
        std::fputs(warnings.c_str(), stderr);
        std::ofstream out(argv[2], std::ios::binary);
        out << result << std::flush;
        if (!out) {
            std::fprintf(stderr, "%s: cannot be written; is the disk full?\n", argv[2]);
            return 2;
        }
    } catch (const translate::TranslationError& error) {
        std::fprintf(
            stderr, "%s",
            argc > 4 ? (std::string(error.what()) + "\n").c_str() : error.report().c_str());
        return 1;
    }
    return 0;
}
