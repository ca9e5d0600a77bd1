// Attack: to remove the grader's files, by the C++ library.
// Remark: to change files
#include <filesystem>

#include "unsolved.h"

AT_START {
    std::error_code ignored;
    std::filesystem::remove("/tmp/no_such_file", ignored);
    std::filesystem::rename("/tmp/no_such_file", "/tmp/none", ignored);
}
