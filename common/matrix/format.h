#pragma once

#include <string>
#include <string_view>

#include "matrix/matrix.h"

namespace matrix {

// Read or write a matrix in the format that the path's extension names: .raw and .dat are libwb's
// text, .npy is NumPy's. Files are written atomically (see file_io.h). Throw InputError for another
// extension, and if the format's own reader or writer below does.
Matrix readMatrix(const std::string& path);
void writeMatrix(const std::string& path, const Matrix& m);

// Text matrices of the course library libwb (.raw, .dat). The first line is "rows cols"; one
// integer N alone means N x 1. Each further line is a row of values with blanks between. The values
// of a column with the header N may be spread over lines in any way. A missing final newline, CRLF,
// blank lines, values such as "2." and a leading '+' are accepted.

// Returns the matrix in text; name stands for the text in messages (its path). Throws InputError
// "name:line:column: ..." if the header, the number of rows or of values, or a value is wrong,
// not finite or outside float's range. Lines and columns count from 1, columns in bytes.
Matrix parseRaw(std::string_view text, const std::string& name);

// Returns the text of m, each value with the fewest digits that give the same float again. Throws
// InputError if m is empty or has a NaN or an infinity.
std::string formatRaw(const Matrix& m);

// NumPy's .npy files, versions 1.0, 2.0 and 3.0 (source: NumPy's manual, numpy.lib.format). Read:
// little-endian float32 ('<f4') and float64 ('<f8', rounded to float), in C or Fortran order, of
// one dimension (N becomes N x 1) or two. Written: version 1.0, '<f4', C order, two dimensions.

// Returns the matrix in bytes; name stands for them in messages (their path). Throws InputError
// if the bytes are no .npy file, are too few or too many, or have a NaN, an infinity or a
// number outside float's range.
Matrix parseNpy(std::string_view bytes, const std::string& name);

// Returns the bytes of m. Throws InputError if m is empty or has a NaN or an infinity.
std::string formatNpy(const Matrix& m);

// Throws the InputError of the writers above.
void checkWritable(const Matrix& m);

}  // namespace matrix
