// Attack: to write outside of its folder.
// Remark: to change files
#include <filesystem>

#include "unsolved.h"

struct AtStart {
    AtStart() {
        std::error_code ignored;
        std::filesystem::create_directories("/tmp/mine", ignored);
    }
} atStart;
