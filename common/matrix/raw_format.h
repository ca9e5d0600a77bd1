#pragma once

#include <string>
#include <string_view>

#include "matrix/matrix.h"

namespace matrix {

// Text matrices of the course library libwb (.raw, .dat). The first line is "rows cols"; one
// integer N alone means N x 1. Each further line is a row of values with blanks between. The values
// of a column with the header N may be spread over lines in any way. A missing final newline, CRLF,
// blank lines, values such as "2." and a leading '+' are accepted.

// Returns the matrix in text; name stands for the text in messages (its path). Throws InputError
// "name:line:column: ..." where the header, the number of rows or of values, or a value is wrong,
// not finite or outside float's range. Lines and columns count from 1, columns in bytes.
Matrix parseRaw(std::string_view text, const std::string& name);

// Returns the text of m, each value with the fewest digits that give the same float again. Throws
// InputError where m is empty or holds a NaN or an infinity.
std::string formatRaw(const Matrix& m);

// Read and write a file as parseRaw and formatRaw do, atomically; throw as they do and as
// file_io.h.
Matrix readRaw(const std::string& path);
void writeRaw(const std::string& path, const Matrix& m);

}  // namespace matrix
