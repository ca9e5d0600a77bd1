#pragma once

#include <string>
#include <string_view>

namespace matrix {

// The whole file, byte for byte. Throws InputError where the file is missing, unreadable, empty,
// or not a plain file.
std::string readFile(const std::string& path);

// Writes bytes under a temporary name in the same folder, then renames it to path: whoever reads
// path sees the old content or the new one, never half of it. When anything fails the temporary
// is removed, an older file stays as it was, and InputError says why. The folder must exist.
void writeFileAtomically(const std::string& path, std::string_view bytes);

}  // namespace matrix
