#include "matrix/file_io.h"

#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>

#include "matrix/input_error.h"

namespace matrix {

namespace {

namespace fs = std::filesystem;

struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Closer>;

[[noreturn]] void fail(const std::string& path, const char* cause, const char* remedy) {
    throw InputError(path, ": ", cause, "; ", remedy);
}

// The same with the reason that errno gives.
[[noreturn]] void failBy(const std::string& path, const char* cause, const char* remedy) {
    throw InputError(path, ": ", cause, " (", std::strerror(errno), "); ", remedy);
}

}  // namespace

std::string readFile(const std::string& path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (status.type() == fs::file_type::not_found)
        fail(path, "there is no such file", "check the name and the folder");
    if (fs::is_directory(status)) fail(path, "this is a folder", "name a file in it");
    // Reading a pipe or a device could block or never end.
    if (fs::exists(status) && !fs::is_regular_file(status))
        fail(path, "this is not a plain file", "name a plain file");
    File file(std::fopen(path.c_str(), "rb"));
    if (!file) failBy(path, "cannot be opened", "check its permissions");
    std::string bytes;
    const std::uintmax_t expected = fs::file_size(path, error);
    if (!error) bytes.reserve(static_cast<std::size_t>(expected));
    char block[1 << 16];
    std::size_t got = 0;
    while ((got = std::fread(block, 1, sizeof block, file.get())) > 0) bytes.append(block, got);
    if (std::ferror(file.get()) != 0)
        failBy(path, "cannot be read", "check the disk and the permissions");
    if (bytes.empty()) fail(path, "the file is empty", "make it again");
    return bytes;
}

void writeFileAtomically(const std::string& path, std::string_view bytes) {
    std::error_code error;
    if (fs::is_directory(path, error)) fail(path, "this is a folder", "name a file in it");
    const std::string temporary = path + ".tmp" + std::to_string(getpid());
    std::FILE* const file = std::fopen(temporary.c_str(), "wb");
    if (!file)
        failBy(path, "cannot be written", "check that its folder exists and may be written to");
    const bool taken = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
    // Closing flushes the buffer, so a full disk may show up only here.
    const bool written = std::fclose(file) == 0 && taken;
    if (written && std::rename(temporary.c_str(), path.c_str()) == 0) return;
    const int reason = errno;
    std::remove(temporary.c_str());
    errno = reason;
    if (written) failBy(path, "cannot be replaced", "check the permissions of its folder");
    failBy(path, "cannot be written", "check the free space on the disk");
}

}  // namespace matrix
