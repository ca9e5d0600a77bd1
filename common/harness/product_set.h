// A product to compute: from the catalogue, from a data set's folder, or from single files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "matrix/catalog.h"
#include "matrix/matrix.h"

namespace harness {

struct ProductSet {
    std::string name;
    matrix::Matrix M, N;  // j x k and k x l
    bool exact = false;   // see matrix::compare
    std::string expectedPath;
    std::optional<matrix::Matrix> expected;  // j x l, as read from expectedPath; not judged

    int j() const { return M.rows(); }
    int k() const { return M.cols(); }
    int l() const { return N.cols(); }
    std::uint64_t elements() const {
        return static_cast<std::uint64_t>(j()) * static_cast<std::uint64_t>(l());
    }
    bool square() const { return j() == k() && k() == l(); }
};

ProductSet fromCatalogue(const matrix::SetSpec& spec);

// Reads M, N, and the expected product if its path is not empty. Throws matrix::InputError if a
// file cannot be read, or if the shapes do not fit together.
ProductSet fromFiles(const std::string& name, const std::string& pathM, const std::string& pathN,
                     const std::string& pathExpected);

// Reads input0.raw, input1.raw and output.raw of a folder. Throws as fromFiles does.
ProductSet fromFolder(const std::string& name, const std::string& folder);

// Returns the sorted paths, relative to parent, of the folders at any depth that have an
// input0.raw; "." if parent has one itself. Throws matrix::InputError if there is none.
std::vector<std::string> setFoldersBelow(const std::string& parent);

}  // namespace harness
