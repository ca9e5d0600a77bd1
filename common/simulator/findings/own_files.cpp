#include "simulator/findings/own_files.h"

#include <algorithm>
#include <utility>

namespace cusim {
namespace {

std::vector<std::string>& shown() {
    static std::vector<std::string> files;
    return files;
}

}  // namespace

void showOnly(std::vector<std::string> files) { shown() = std::move(files); }

const std::vector<std::string>& ownFiles() { return shown(); }

bool mayShow(const std::string& file) {
    // The compiler names a header found by -I. so.
    const std::string plain = file.compare(0, 2, "./") == 0 ? file.substr(2) : file;
    return shown().empty() || std::find(shown().begin(), shown().end(), plain) != shown().end();
}

}  // namespace cusim
