#pragma once

#include <string>

#include "matrix/matrix.h"

namespace matrix {

// Read or write a matrix in the format that the path's extension names: .raw and .dat are libwb's
// text, .npy is NumPy's. Throw InputError for another extension, and where the format's own reader
// or writer does.
Matrix readMatrix(const std::string& path);
void writeMatrix(const std::string& path, const Matrix& m);

}  // namespace matrix
