// Attack: to write outside of its folder.
// Remark: to change files
#include <filesystem>

#include "unsolved.h"

AT_START {
    std::error_code ignored;
    std::filesystem::create_directories("/tmp/mine", ignored);
}
