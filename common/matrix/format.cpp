#include "matrix/format.h"

#include <filesystem>

#include "matrix/input_error.h"
#include "matrix/npy_format.h"
#include "matrix/raw_format.h"

namespace matrix {

namespace {

bool isNpy(const std::string& path) {
    const std::string extension = std::filesystem::path(path).extension().string();
    if (extension == ".npy") return true;
    if (extension == ".raw" || extension == ".dat") return false;
    throw InputError(path +
                     ": the name tells no known format; end it in .raw or .dat (text) or .npy "
                     "(NumPy)");
}

}  // namespace

Matrix readMatrix(const std::string& path) { return isNpy(path) ? readNpy(path) : readRaw(path); }

void writeMatrix(const std::string& path, const Matrix& m) {
    if (isNpy(path))
        writeNpy(path, m);
    else
        writeRaw(path, m);
}

}  // namespace matrix
