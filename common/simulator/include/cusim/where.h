// A place in a source file.
#pragma once

#ifdef __clang__
#define CUSIM_PLACE reinterpret_cast<const void*>(static_cast<__INTPTR_TYPE__>(__builtin_COLUMN()))
#else
#define CUSIM_PLACE __builtin_source_location()
// g++ needs this type for __builtin_source_location(); its library has it from C++20 on.
namespace std {
struct source_location {
    struct __impl {
        const char *_M_file_name, *_M_function_name;
        unsigned _M_line, _M_column;
    };
};
}  // namespace std
#endif

namespace cusim {

struct Where {
    const char* file = "";
    int line = 0;
    const void* place = nullptr;  // holds the column, see column()

    // Returns the caller's place when used as a default argument.
    static constexpr Where here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
        return Where{file, line};
    }
    // Does the same with the column, which distinguishes two calls on one line.
    static Where exactly(const void* place = CUSIM_PLACE, const char* file = __builtin_FILE(),
                         int line = __builtin_LINE()) {
        return Where{file, line, place};
    }
    // Returns 0 if the column is unknown.
    int column() const {
#ifdef __clang__
        return static_cast<int>(reinterpret_cast<__INTPTR_TYPE__>(place));
#else
        if (!place) return 0;
        return static_cast<int>(static_cast<const std::source_location::__impl*>(place)->_M_column);
#endif
    }
    bool operator==(const Where& other) const {
        return line == other.line && column() == other.column() &&
               (file == other.file || __builtin_strcmp(file, other.file) == 0);
    }
};

}  // namespace cusim
