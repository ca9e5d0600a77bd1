#include "harness/product_set.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "harness/text.h"
#include "matrix/format.h"
#include "matrix/input_error.h"

namespace harness {
namespace {

namespace fs = std::filesystem;
using matrix::InputError;
using matrix::Matrix;

std::string shape(const Matrix& m) {
    return std::to_string(m.rows()) + " x " + std::to_string(m.cols());
}

// Returns the largest magnitude; infinity if a value is not a whole number up to 2048.
double largestInteger(const Matrix& m) {
    double largest = 0.0;
    for (std::size_t i = 0; i < m.size(); ++i) {
        const double value = std::fabs(static_cast<double>(m.data()[i]));
        if (!(value <= 2048.0) || value != std::floor(value)) return HUGE_VAL;
        largest = std::max(largest, value);
    }
    return largest;
}

// Tells whether float32 represents every partial sum of the product exactly, in any order.
bool sumsAreExact(const Matrix& M, const Matrix& N) {
    const double m = largestInteger(M), n = largestInteger(N);
    return std::isfinite(m) && std::isfinite(n) && M.cols() * m * n < 0x1p24;
}

void checkShapes(const ProductSet& set, const std::string& pathM, const std::string& pathN) {
    if (set.M.cols() != set.N.rows())
        throw InputError(pathM + " is " + shape(set.M) + " and " + pathN + " is " + shape(set.N) +
                         ", which cannot be multiplied; the columns of the first must equal the "
                         "rows of the second");
    if (!set.expected) return;
    const Matrix& expected = *set.expected;
    if (expected.rows() == set.j() && expected.cols() == set.l()) return;
    const bool turned = expected.rows() == set.l() && expected.cols() == set.j();
    throw InputError(set.expectedPath + " is " + shape(expected) + ", but " +
                     product(set.j(), set.k(), set.l()) + " gives " + std::to_string(set.j()) +
                     " x " + std::to_string(set.l()) +
                     (turned ? "; it seems to be transposed, so make it again"
                             : "; give the file that belongs to these inputs"));
}

bool isSetFolder(const fs::path& folder) {
    std::error_code ignored;
    return fs::is_regular_file(folder / "input0.raw", ignored);
}

}  // namespace

ProductSet fromCatalogue(const matrix::SetSpec& spec) {
    matrix::DataSet data = matrix::build(spec);
    ProductSet set;
    set.name = spec.name;
    set.M = std::move(data.M);
    set.N = std::move(data.N);
    set.exact = matrix::isExact(spec.pattern, spec.k);
    return set;
}

ProductSet fromFiles(const std::string& name, const std::string& pathM, const std::string& pathN,
                     const std::string& pathExpected) {
    ProductSet set;
    set.name = name;
    set.M = matrix::readMatrix(pathM);
    set.N = matrix::readMatrix(pathN);
    set.exact = sumsAreExact(set.M, set.N);
    set.expectedPath = pathExpected;
    if (!pathExpected.empty()) set.expected = matrix::readMatrix(pathExpected);
    checkShapes(set, pathM, pathN);
    return set;
}

ProductSet fromFolder(const std::string& name, const std::string& folder) {
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored))
        throw InputError(
            folder + " is not a folder; give one that holds input0.raw, input1.raw and output.raw");
    const fs::path path(folder);
    return fromFiles(name, (path / "input0.raw").string(), (path / "input1.raw").string(),
                     (path / "output.raw").string());
}

std::vector<std::string> setFoldersBelow(const std::string& parent) {
    std::error_code error;
    fs::recursive_directory_iterator entry(parent, error);
    if (error)
        throw InputError(parent + ": " + error.message() +
                         "; give a folder with data sets below it");
    std::vector<std::string> found;
    if (isSetFolder(parent)) found.emplace_back(".");
    for (; entry != fs::recursive_directory_iterator(); entry.increment(error)) {
        if (error) throw InputError(parent + ": " + error.message() + "; make all of it readable");
        if (isSetFolder(entry->path()))
            found.push_back(entry->path().lexically_relative(parent).string());
    }
    if (found.empty())
        throw InputError(parent +
                         " holds no data set: no folder in it has an input0.raw; make sets with "
                         "datasets/generate.cpp, or give another folder");
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace harness
