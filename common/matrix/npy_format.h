#pragma once

#include <string>
#include <string_view>

#include "matrix/matrix.h"

namespace matrix {

// NumPy's .npy files, versions 1.0, 2.0 and 3.0 (source: NumPy's manual, numpy.lib.format). Read:
// little-endian float32 ('<f4') and float64 ('<f8', rounded to float), in C or Fortran order, of
// one dimension (N becomes N x 1) or two. Written: version 1.0, '<f4', C order, two dimensions.

// Returns the matrix in bytes; name stands for them in messages (their path). Throws InputError
// where the bytes are no .npy file, are cut short or too many, or hold a NaN, an infinity or a
// number outside float's range.
Matrix parseNpy(std::string_view bytes, const std::string& name);

// Returns the bytes of m. Throws InputError where m is empty or holds a NaN or an infinity.
std::string formatNpy(const Matrix& m);

// Read and write a file as parseNpy and formatNpy do, atomically; throw as they do and as
// file_io.h.
Matrix readNpy(const std::string& path);
void writeNpy(const std::string& path, const Matrix& m);

}  // namespace matrix
