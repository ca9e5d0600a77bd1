#pragma once

#include <string>
#include <string_view>

#include "matrix/matrix.h"

namespace matrix {

// NumPy's .npy files, versions 1.0, 2.0 and 3.0 (the layout is described in NumPy's manual,
// numpy.lib.format). Read: little-endian float32 ('<f4') and float64 ('<f8', rounded to float), in
// C or Fortran order, of one dimension (N becomes N x 1) or two. Written: version 1.0, '<f4', C
// order, two dimensions.

// name stands for the bytes in messages (their path). Throws InputError where the bytes are no
// such file, are cut short or followed by others, or hold a NaN, an infinity or a number outside
// float's range.
Matrix parseNpy(std::string_view bytes, const std::string& name);

// The bytes of m. Throws InputError where m is empty or holds a NaN or an infinity.
std::string formatNpy(const Matrix& m);

// parseNpy on a file, and formatNpy written atomically; errors as above and as in file_io.h.
Matrix readNpy(const std::string& path);
void writeNpy(const std::string& path, const Matrix& m);

}  // namespace matrix
