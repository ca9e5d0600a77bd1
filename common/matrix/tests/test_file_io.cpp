#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <string>

#include "matrix/file_io.h"
#include "matrix/tests/helpers.h"
#include "testing/catch.h"

using namespace matrix_test;
using matrix::readFile;
using matrix::writeFileAtomically;

TEST_CASE("a file reads back byte for byte", "[file]") {
    const Folder folder;
    const std::string bytes = std::string("a\0b\r\n\xFF", 6) + std::string(200000, 'x');
    writeFileAtomically(folder.file("f"), bytes);
    CHECK(readFile(folder.file("f")) == bytes);
    CHECK(folder.entries() == 1U);
}

TEST_CASE("a file that cannot be read is named with cause and remedy", "[file]") {
    const Folder folder;
    folder.file("empty", "");
    const std::pair<std::string, std::string> rows[] = {
        {folder.file("missing"), "there is no such file; "},
        {folder.file("empty"), "the file is empty; "},
        {folder.path(), "this is a folder; "},
        {"/dev/null", "this is not a plain file; "}};
    for (const auto& [path, cause] : rows) {
        const std::string message = inputErrorOf([&path = path] { readFile(path); });
        INFO(message);
        CHECK(startsWith(message, path + ": " + cause));
    }
}

TEST_CASE("a file without read permission is named", "[file]") {
    if (geteuid() == 0) return;  // root reads everything
    const Folder folder;
    folder.file("secret", "1 1\n1\n");
    std::filesystem::permissions(folder.file("secret"), std::filesystem::perms::none);
    CHECK(contains(inputErrorOf([&] { readFile(folder.file("secret")); }), "cannot be opened"));
}

TEST_CASE("writing replaces an older file", "[file]") {
    const Folder folder;
    writeFileAtomically(folder.file("f"), "old and longer");
    writeFileAtomically(folder.file("f"), "new");
    CHECK(readFile(folder.file("f")) == "new");
    CHECK(folder.entries() == 1U);
}

TEST_CASE("writing into a folder that does not exist is refused", "[file]") {
    const Folder folder;
    const std::string path = folder.file("none/f");
    const std::string message = inputErrorOf([&] { writeFileAtomically(path, "x"); });
    CHECK(startsWith(message, path + ": cannot be written ("));
    CHECK(folder.entries() == 0U);
}

TEST_CASE("writing over a folder is refused and leaves no temporary file", "[file]") {
    const Folder folder;
    std::filesystem::create_directory(folder.file("sub"));
    const std::string message = inputErrorOf([&] { writeFileAtomically(folder.file("sub"), "x"); });
    CHECK(contains(message, "this is a folder"));
    CHECK(folder.entries() == 1U);
}

TEST_CASE("a write that fails leaves the old file and no temporary file", "[file]") {
    const Folder folder;
    writeFileAtomically(folder.file("f"), "old");
    // A folder takes the temporary name, so the new bytes cannot be written.
    const std::string taken = folder.file("f") + ".tmp" + std::to_string(getpid());
    std::filesystem::create_directory(taken);
    CHECK(contains(inputErrorOf([&] { writeFileAtomically(folder.file("f"), "new"); }),
                   "cannot be written"));
    CHECK(readFile(folder.file("f")) == "old");
    std::filesystem::remove(taken);
    CHECK(folder.entries() == 1U);
}

TEST_CASE("a write that is cut short leaves the old file and no temporary file", "[file]") {
    const Folder folder;
    writeFileAtomically(folder.file("f"), "old");
    // A limit on the size of files replaces a full disk.
    struct rlimit before = {};
    REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
    const struct rlimit small = {1000, before.rlim_max};
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
    const std::string message =
        inputErrorOf([&] { writeFileAtomically(folder.file("f"), std::string(100000, 'x')); });
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    CHECK(contains(message, "check the free space on the disk"));
    CHECK(readFile(folder.file("f")) == "old");
    CHECK(folder.entries() == 1U);
}
