#pragma once

#include <string>
#include <string_view>

namespace matrix {

// Returns the whole file, byte for byte. Throws InputError if the file is missing, unreadable,
// empty, or not a plain file.
std::string readFile(const std::string& path);

// Writes bytes to a temporary file in the same folder, then renames it to path, so that a reader of
// path sees the old content or the new one, never half of it. If a step fails, removes the
// temporary file, keeps an older file unchanged, and throws InputError with the reason. The folder
// must exist.
void writeFileAtomically(const std::string& path, std::string_view bytes);

}  // namespace matrix
