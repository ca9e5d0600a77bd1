#include "matrix/format.h"

#include <cmath>
#include <filesystem>

#include "matrix/file_io.h"
#include "matrix/input_error.h"

namespace matrix {

namespace {

bool isNpy(const std::string& path) {
    const std::string extension = std::filesystem::path(path).extension().string();
    if (extension == ".npy") return true;
    if (extension == ".raw" || extension == ".dat") return false;
    throw InputError(path, ": the name has no known ending; use .raw or .dat (text) or .npy ",
                     "(NumPy)");
}

}  // namespace

Matrix readMatrix(const std::string& path) {
    return (isNpy(path) ? parseNpy : parseRaw)(readFile(path), path);
}

void writeMatrix(const std::string& path, const Matrix& m) {
    writeFileAtomically(path, (isNpy(path) ? formatNpy : formatRaw)(m));
}

void checkWritable(const Matrix& m) {
    if (m.size() == 0)
        throw InputError("an empty matrix cannot be written; give it a row and a column at least");
    for (int r = 0; r < m.rows(); ++r)
        for (int c = 0; c < m.cols(); ++c)
            if (!std::isfinite(m(r, c)))
                throw InputError("row ", r, ", column ", c,
                                 " is not finite; matrices are written with finite numbers only");
}

}  // namespace matrix
