#pragma once

#include <string>
#include <string_view>

#include "matrix/matrix.h"

namespace matrix {

// Text matrices of the course library libwb (.raw, .dat). The first line is "rows cols"; one
// integer N alone means N x 1. Then one row a line, with blanks between the values. A column with
// the header N may spread its values over lines as it likes. A missing final newline, CRLF, blank
// lines, values such as "2." and a leading '+' are all read.

// name stands for the text in messages (its path). Throws InputError "name:line:column: ..." where
// the header, the number of rows or of values, or a value is wrong; NaN and infinity are refused,
// and so is a number outside float's range. Lines and columns count from 1, columns in bytes.
Matrix parseRaw(std::string_view text, const std::string& name);

// The text of m, each value with the shortest digits that give the same float again. Throws
// InputError where m is empty or holds a NaN or an infinity, which parseRaw would refuse.
std::string formatRaw(const Matrix& m);

// parseRaw on a file, and formatRaw written atomically; errors as above and as in file_io.h.
Matrix readRaw(const std::string& path);
void writeRaw(const std::string& path, const Matrix& m);

}  // namespace matrix
