// A place in a source file.
#pragma once

namespace cusim {

struct Where {
    const char* file = "";
    int line = 0;

    // Returns the caller's place when used as a default argument.
    static constexpr Where here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
        return Where{file, line};
    }
    bool operator==(const Where& other) const {
        return line == other.line &&
               (file == other.file || __builtin_strcmp(file, other.file) == 0);
    }
};

}  // namespace cusim
