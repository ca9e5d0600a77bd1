#pragma once

#include <stdlib.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include "matrix/input_error.h"
#include "matrix/matrix.h"
#include "matrix/reference.h"

namespace matrix_test {

// A temporary folder for one test, removed with its content.
class Folder {
  public:
    Folder() {
        if (mkdtemp(path_.data()) == nullptr) throw std::runtime_error("no temporary folder");
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() {
        std::error_code error;
        std::filesystem::remove_all(path_, error);
    }
    std::string file(const std::string& name) const { return path_ + "/" + name; }
    // Writes a new file with this text, creates its folders, and returns its path.
    std::string file(const std::string& name, const std::string& text) const {
        const std::filesystem::path path = file(name);
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary) << text;
        return path.string();
    }
    const std::string& path() const { return path_; }
    std::size_t entries() const {
        return std::distance(std::filesystem::directory_iterator(path_), {});
    }

  private:
    std::string path_ = (std::filesystem::temp_directory_path() / "test-XXXXXX").string();
};

// Returns the sentence of the InputError that the action throws; empty if it throws none.
template <typename Action>
std::string inputErrorOf(Action action) {
    try {
        action();
    } catch (const matrix::InputError& error) {
        return error.what();
    }
    return {};
}

inline bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

inline bool startsWith(std::string_view text, std::string_view part) {
    return text.substr(0, part.size()) == part;
}

inline std::size_t widestLine(const std::string& text) {
    std::istringstream in(text);
    std::size_t widest = 0;
    for (std::string line; std::getline(in, line);) widest = std::max(widest, line.size());
    return widest;
}

inline matrix::Matrix matrixOf(int rows, int cols, std::initializer_list<float> values) {
    matrix::Matrix m(rows, cols);
    std::copy(values.begin(), values.end(), m.data());
    return m;
}

// Returns the product of a reference, rounded to float.
inline matrix::Matrix rounded(const matrix::Reference& reference) {
    matrix::Matrix m(reference.rows, reference.cols);
    std::transform(reference.product.begin(), reference.product.end(), m.data(),
                   [](double value) { return static_cast<float>(value); });
    return m;
}

inline matrix::Matrix transposeOf(const matrix::Matrix& m) {
    matrix::Matrix t(m.cols(), m.rows());
    for (int r = 0; r < m.rows(); ++r)
        for (int c = 0; c < m.cols(); ++c) t(c, r) = m(r, c);
    return t;
}

// Returns the 64-bit FNV-1a hash of the bytes.
inline std::uint64_t fnv1a(const void* data, std::size_t size) {
    std::uint64_t hash = 0xCBF29CE484222325U;
    for (std::size_t i = 0; i < size; ++i)
        hash = (hash ^ static_cast<const unsigned char*>(data)[i]) * 0x100000001B3U;
    return hash;
}

}  // namespace matrix_test
