// Skips draws of XORWOW. A step is linear in the state's 160 bits, so a number of steps is a
// matrix, and its square is twice that number of steps.
#include "simulator/include/cusim/random.h"

#include <array>
#include <memory>
#include <mutex>
#include <vector>

namespace cusim {
namespace {

constexpr int kWords = 5, kBits = 32 * kWords;

using Vector = std::array<unsigned, kWords>;
struct Matrix {
    std::array<Vector, kBits> rows;  // the state after the steps, by the one bit before them
};

Vector product(const Vector& vector, const Matrix& matrix) {
    Vector result{};
    for (int bit = 0; bit < kBits; ++bit)
        if (vector[bit / 32] >> (bit % 32) & 1)
            for (int i = 0; i < kWords; ++i) result[i] ^= matrix.rows[bit][i];
    return result;
}

Matrix oneStep() {
    Matrix matrix{};
    for (int bit = 0; bit < kBits; ++bit) {
        Xorwow state{};
        state.v[bit / 32] = 1u << (bit % 32);
        nextOf(state);
        for (int i = 0; i < kWords; ++i) matrix.rows[bit][i] = state.v[i];
    }
    return matrix;
}

// Returns the matrix of 2^power steps.
const Matrix& stepsOf(std::size_t power) {
    static std::mutex mutex;
    static auto* const made = new std::vector<std::unique_ptr<Matrix>>;
    const std::lock_guard<std::mutex> lock(mutex);
    if (made->empty()) made->push_back(std::make_unique<Matrix>(oneStep()));
    while (made->size() <= power) {
        const Matrix& last = *made->back();
        auto next = std::make_unique<Matrix>();
        for (int bit = 0; bit < kBits; ++bit) next->rows[bit] = product(last.rows[bit], last);
        made->push_back(std::move(next));
    }
    return *(*made)[power];
}

}  // namespace

void skipXorwow(Xorwow& state, unsigned long long n, bool sequences) {
    constexpr std::size_t kSequence = 67;
    // A sequence's steps are a multiple of 2^32, so they leave d as it is.
    if (!sequences) state.d += 362437 * static_cast<unsigned>(n);
    Vector v;
    for (int i = 0; i < kWords; ++i) v[i] = state.v[i];
    for (std::size_t power = sequences ? kSequence : 0; n != 0; n >>= 1, ++power)
        if (n & 1) v = product(v, stepsOf(power));
    for (int i = 0; i < kWords; ++i) state.v[i] = v[i];
}

}  // namespace cusim
