#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace matrix {

// The header of a .npy file, which describes the values after it.
struct NpyHeader {
    std::string descr;  // the type of a value as NumPy writes it, such as "<f4"
    bool fortranOrder = false;
    std::vector<std::size_t> shape;
    std::size_t dataOffset = 0;  // bytes before the first value
};

// Reads magic, version and dictionary of versions 1.0, 2.0 and 3.0; the caller decides whether it
// can use type and shape. Throws InputError, naming name, where the header is malformed.
NpyHeader parseNpyHeader(std::string_view bytes, const std::string& name);

// Returns a header, version 1.0, for rows x cols values of '<f4' in C order, padded to 64 bytes.
std::string formatNpyHeader(int rows, int cols);

}  // namespace matrix
