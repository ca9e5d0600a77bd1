// Products of all shapes, types and layouts of mma.h, with the values that they must give. The
// simulated device (test_fragments.cu) and a card (card/matrix_tiles.cu) compute the same.
#pragma once

#include <mma.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace matrix_tiles {

using namespace nvcuda;
using Row = wmma::row_major;
using Column = wmma::col_major;
using Tf32 = wmma::precision::tf32;

template <int M, int N, int K, class T, class LayoutA = Row, class LayoutB = Row, class C = float,
          class D = C>
struct Case {
    using A = wmma::fragment<wmma::matrix_a, M, N, K, T, LayoutA>;
    using B = wmma::fragment<wmma::matrix_b, M, N, K, T, LayoutB>;
    using From = wmma::fragment<wmma::accumulator, M, N, K, C>;
    using To = wmma::fragment<wmma::accumulator, M, N, K, D>;
    using Stored = typename A::storage_element_type;
    using Added = C;
    using Result = D;
    static constexpr int kM = M, kN = N, kK = K;
    static constexpr bool kConverts = std::is_same<T, Tf32>::value;
    static constexpr bool kWhole = std::is_same<C, int>::value;
    static constexpr bool kAByColumns = std::is_same<LayoutA, Column>::value;
    static constexpr bool kBByColumns = std::is_same<LayoutB, Column>::value;
};

// A matrix in managed memory, with unused elements at the end of each row or column.
template <class T>
class Matrix {
  public:
    static constexpr int kMultiple = 16 / sizeof(T);  // of the leading dimension
    Matrix(int rows, int columns, bool byColumns)
        : byColumns_(byColumns),
          leading_(((byColumns ? rows : columns) / kMultiple + 2) * kMultiple) {
        const std::size_t count = std::size_t(leading_) * (byColumns ? columns : rows);
        cudaMallocManaged(&data_, count * sizeof(T));
        std::memset(static_cast<void*>(data_), 0, count * sizeof(T));
    }
    ~Matrix() { cudaFree(data_); }
    Matrix(const Matrix&) = delete;
    Matrix& operator=(const Matrix&) = delete;
    T& at(int row, int column) const {
        return data_[byColumns_ ? column * leading_ + row : row * leading_ + column];
    }
    T* data() const { return data_; }
    unsigned leading() const { return static_cast<unsigned>(leading_); }

  private:
    bool byColumns_;
    int leading_;
    T* data_ = nullptr;
};

// Calls mma_sync with the argument that only sums of whole numbers have.
template <bool whole>
struct Call {
    template <class D, class A, class B, class C>
    __device__ static void multiply(D& d, const A& a, const B& b, const C& c, bool) {
        wmma::mma_sync(d, a, b, c);
    }
    template <class Fragment>
    __device__ static void convert(Fragment&) {}
};
template <>
struct Call<true> {
    template <class D, class A, class B, class C>
    __device__ static void multiply(D& d, const A& a, const B& b, const C& c, bool saturates) {
        wmma::mma_sync(d, a, b, c, saturates);
    }
    template <class Fragment>
    __device__ static void convert(Fragment& f) {
        for (int i = 0; i < f.num_elements; ++i) f.x[i] = wmma::__float_to_tf32(f.x[i]);
    }
};

template <class Case>
__global__ void product(const typename Case::Stored* a, unsigned lda,
                        const typename Case::Stored* b, unsigned ldb, const typename Case::Added* c,
                        unsigned ldc, typename Case::Result* d, unsigned ldd, wmma::layout_t layout,
                        bool saturates) {
    typename Case::A ofA;
    typename Case::B ofB;
    typename Case::From from;
    typename Case::To to;
    wmma::load_matrix_sync(ofA, a, lda);
    wmma::load_matrix_sync(ofB, b, ldb);
    wmma::load_matrix_sync(from, c, ldc, layout);
    Call<Case::kConverts>::convert(ofA);
    Call<Case::kConverts>::convert(ofB);
    Call<Case::kWhole>::multiply(to, ofA, ofB, from, saturates);
    wmma::store_matrix_sync(d, to, ldd, layout);
}

// Draws a number: a small whole one, or any. Whole numbers of 32 bits are near the largest and the
// least, so that sums overflow.
template <class T>
double drawn(bool small, std::mt19937& random) {
    if (small) return static_cast<int>(random() % 9) - (std::is_unsigned<T>::value ? 0 : 4);
    const int sign = random() % 2 ? 1 : -1;
    if (std::is_same<T, int>::value) return sign * (2147483647.0 - random() % 100000);
    if (std::is_integral<T>::value) return random() % 256 - (std::is_signed<T>::value ? 128.0 : 0);
    return sign * std::ldexp(random() % 65536 / 49152.0, -static_cast<int>(random() % 8));
}

template <class T>
void fill(const Matrix<T>& matrix, int rows, int columns, bool small, std::mt19937& random) {
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column) {
            const double value = drawn<T>(small, random);
            if constexpr (std::is_arithmetic<T>::value)
                matrix.at(row, column) = static_cast<T>(value);
            else
                matrix.at(row, column) = static_cast<T>(static_cast<float>(value));
        }
}

template <bool converts, class T>
double valueOf(T x) {
    if (!converts) return static_cast<double>(x);
    const float single = static_cast<float>(x);
    std::uint32_t bits;
    std::memcpy(&bits, &single, sizeof bits);
    bits = (bits + 0x1000u) & ~0x1fffu;
    float rounded;
    std::memcpy(&rounded, &bits, sizeof bits);
    return rounded;
}
template <class T>
T rounded(double sum, bool) {
    return static_cast<T>(static_cast<float>(sum));
}
template <>
inline double rounded(double sum, bool) {
    return sum;
}
template <>
inline int rounded(double sum, bool saturates) {
    if (saturates) sum = std::fmin(std::fmax(sum, -2147483648.0), 2147483647.0);
    return static_cast<int>(static_cast<std::uint32_t>(static_cast<long long>(sum)));
}

struct Compared {
    int other = 0;     // elements that are not the sum in the order of k, rounded at the end
    double share = 0;  // the largest difference, as a share of what is allowed
};

// Computes one product. The difference that is allowed on a card is that of sums in any order, each
// rounded in any direction: (k + 1) units in the last place of |c| + sum of |a b|.
template <class Case>
Compared compared(bool small, wmma::layout_t layout, bool saturates, unsigned seed) {
    constexpr int kM = Case::kM, kN = Case::kN, kK = Case::kK;
    using D = typename Case::Result;
    const bool byColumns = layout == wmma::mem_col_major;
    const Matrix<typename Case::Stored> a(kM, kK, Case::kAByColumns), b(kK, kN, Case::kBByColumns);
    const Matrix<typename Case::Added> c(kM, kN, byColumns);
    const Matrix<D> d(kM, kN, byColumns);
    std::mt19937 random(seed);
    fill(a, kM, kK, small, random);
    fill(b, kK, kN, small, random);
    fill(c, kM, kN, small, random);
    const typename Case::Stored *ofA = a.data(), *ofB = b.data();
    const typename Case::Added* from = c.data();
    D* to = d.data();
    unsigned lda = a.leading(), ldb = b.leading(), ldc = c.leading(), ldd = d.leading();
    void* arguments[] = {&ofA, &lda, &ofB, &ldb, &from, &ldc, &to, &ldd, &layout, &saturates};
    // Not <<<...>>>, since this is a header.
    const cudaError_t launched =
        cudaLaunchKernel(&product<Case>, dim3(1), dim3(32), arguments, 0, nullptr);
    Compared result;
    if (launched != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess)
        return {kM * kN, HUGE_VAL};
    const double unit = std::ldexp(1.0, sizeof(D) == 2 ? -10 : sizeof(D) == 4 ? -23 : -52);
    for (int row = 0; row < kM; ++row)
        for (int column = 0; column < kN; ++column) {
            double sum = static_cast<double>(c.at(row, column)), size = std::fabs(sum);
            for (int k = 0; k < kK; ++k) {
                const double x = valueOf<Case::kConverts>(a.at(row, k));
                const double y = valueOf<Case::kConverts>(b.at(k, column));
                sum = std::fma(x, y, sum);
                size += std::fabs(x * y);
            }
            const D is = d.at(row, column), must = rounded<D>(sum, saturates);
            result.other += std::memcmp(&is, &must, sizeof is) != 0;
            const double apart = std::fabs(static_cast<double>(is) - static_cast<double>(must));
            result.share = std::fmax(result.share, apart / (unit * (kK + 1) * size));
        }
    return result;
}

// Calls visit(name, runs, isExact) for each product: runs(seed) returns what it compares, and
// isExact holds where all sums are exact whatever their order.
template <class Case, class Visit>
void visitCase(const std::string& name, Visit visit) {
    for (const wmma::layout_t layout : {wmma::mem_row_major, wmma::mem_col_major})
        for (const bool small : {true, false})
            for (const bool saturates : {false, true}) {
                if (saturates && !Case::kWhole) continue;
                visit(
                    name + (layout == wmma::mem_col_major ? ", by columns" : "") +
                        (small ? ", small whole numbers" : "") + (saturates ? ", saturating" : ""),
                    [=](unsigned seed) { return compared<Case>(small, layout, saturates, seed); },
                    small || Case::kWhole);
            }
}

template <int M, int N, int K, class Visit>
void visitShape(const std::string& shape, Visit visit) {
    visitCase<Case<M, N, K, __half, Row, Row>>(shape + " half, row row", visit);
    visitCase<Case<M, N, K, __half, Row, Column>>(shape + " half, row column", visit);
    visitCase<Case<M, N, K, __half, Column, Row>>(shape + " half, column row", visit);
    visitCase<Case<M, N, K, __half, Column, Column>>(shape + " half, column column", visit);
    visitCase<Case<M, N, K, __half, Row, Row, __half>>(shape + " half to half", visit);
    visitCase<Case<M, N, K, __half, Row, Row, __half, float>>(shape + " half, c half", visit);
    visitCase<Case<M, N, K, __half, Row, Row, float, __half>>(shape + " half, d half", visit);
    visitCase<Case<M, N, K, __nv_bfloat16, Row, Column>>(shape + " bfloat16, row column", visit);
    visitCase<Case<M, N, K, __nv_bfloat16, Column, Row>>(shape + " bfloat16, column row", visit);
    visitCase<Case<M, N, K, signed char, Row, Column, int>>(shape + " signed char", visit);
    visitCase<Case<M, N, K, unsigned char, Column, Row, int>>(shape + " unsigned char", visit);
}

template <class Visit>
void visitAll(Visit visit) {
    visitShape<16, 16, 16>("16x16x16", visit);
    visitShape<32, 8, 16>("32x8x16", visit);
    visitShape<8, 32, 16>("8x32x16", visit);
    visitCase<Case<16, 16, 8, Tf32, Row, Column>>("16x16x8 tf32, row column", visit);
    visitCase<Case<16, 16, 8, Tf32, Column, Row>>("16x16x8 tf32, column row", visit);
    visitCase<Case<8, 8, 4, double, Row, Column, double>>("8x8x4 double, row column", visit);
    visitCase<Case<8, 8, 4, double, Column, Row, double>>("8x8x4 double, column row", visit);
}

template <class Use, class T, class Layout = void>
constexpr bool hasElements(int square, int tall, int wide) {
    return wmma::fragment<Use, 16, 16, 16, T, Layout>::num_elements == square &&
           wmma::fragment<Use, 32, 8, 16, T, Layout>::num_elements == tall &&
           wmma::fragment<Use, 8, 32, 16, T, Layout>::num_elements == wide;
}
static_assert(hasElements<wmma::matrix_a, __half, Row>(16, 16, 16), "each half is held again");
static_assert(hasElements<wmma::matrix_b, __half, Column>(16, 16, 16), "each half is held again");
static_assert(hasElements<wmma::matrix_a, __nv_bfloat16, Row>(8, 16, 4), "each is held once");
static_assert(hasElements<wmma::matrix_b, signed char, Row>(8, 4, 16), "each is held once");
static_assert(hasElements<wmma::accumulator, __half>(8, 8, 8), "each is held once");
static_assert(hasElements<wmma::accumulator, float>(8, 8, 8), "each is held once");

}  // namespace matrix_tiles
