// Stands in for NVIDIA's header of the same name: products of small matrices by a warp, in
// nvcuda::wmma (CUDA C++ Programming Guide, "Warp Matrix Functions"). All 32 lanes make each call;
// each loads and stores its own elements of a fragment. The guide leaves open which elements these
// are, so a lane has others here than on a card.
#pragma once

#include <cstddef>
#include <type_traits>

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cusim/fragments.h"

namespace nvcuda::wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32;
}

// Rounds to 10 bits of fraction, ties away from zero.
CUSIM_UNCHECKED float __float_to_tf32(float in) {
    const unsigned bits = cusim::bitsAs<unsigned>(in);
    return (bits & 0x7f800000u) == 0x7f800000u ? in
                                               : cusim::bitsAs<float>((bits + 0x1000u) & ~0x1fffu);
}

namespace details {

using cusim::ElementType;

// What each type of a fragment's elements is held as.
template <class T>
struct Held {
    using type = T;
};
template <>
struct Held<precision::tf32> {
    using type = float;
};

template <class T>
constexpr ElementType elementType() {
    if (std::is_same_v<T, __half>) return ElementType::Half;
    if (std::is_same_v<T, __nv_bfloat16>) return ElementType::Bfloat16;
    if (std::is_same_v<T, precision::tf32>) return ElementType::Tf32;
    if (std::is_same_v<T, float>) return ElementType::Float;
    if (std::is_same_v<T, double>) return ElementType::Double;
    if (std::is_same_v<T, signed char>) return ElementType::SignedChar;
    if (std::is_same_v<T, unsigned char>) return ElementType::UnsignedChar;
    return ElementType::Int;
}

// Tests for the shapes and types of the guide ("Element Types and Matrix Sizes").
template <class Use, int m, int n, int k, class T, class Layout>
constexpr bool exists() {
    constexpr ElementType type = elementType<T>();
    constexpr bool sums = std::is_same_v<Use, accumulator>;
    constexpr bool wide = (m == 16 && n == 16 && k == 16) || (m == 32 && n == 8 && k == 16) ||
                          (m == 8 && n == 32 && k == 16);
    constexpr bool hasLayout =
        std::is_same_v<Layout, row_major> || std::is_same_v<Layout, col_major>;
    if (sums ? !std::is_void_v<Layout> : !hasLayout) return false;
    if (type == ElementType::Double) return m == 8 && n == 8 && k == 4;
    if (type == ElementType::Float && m == 16 && n == 16 && k == 8) return sums;
    if (type == ElementType::Tf32) return !sums && m == 16 && n == 16 && k == 8;
    if (type == ElementType::Int) return sums && wide && std::is_same_v<T, int>;
    return wide && (type == ElementType::Half || sums == (type == ElementType::Float));
}

// Tests whether the guide lets this type of a and b be multiplied and added to C, into D.
template <class T, class C, class D>
constexpr bool canMultiply() {
    const auto isReal = [](ElementType type) {
        return type == ElementType::Half || type == ElementType::Float;
    };
    constexpr ElementType type = elementType<T>(), c = elementType<C>(), d = elementType<D>();
    if (type == ElementType::Half) return isReal(c) && isReal(d);
    if (type == ElementType::Double) return c == type && d == type;
    const bool isWhole = type == ElementType::SignedChar || type == ElementType::UnsignedChar;
    return c == d && c == (isWhole ? ElementType::Int : ElementType::Float);
}

}  // namespace details

template <class Use, int m, int n, int k, class T, class Layout = void>
class fragment {
    static_assert(details::exists<Use, m, n, k, T, Layout>(),
                  "wmma has no such fragment on the simulated device: see Element Types and Matrix "
                  "Sizes in the CUDA C++ Programming Guide; matrix_a and matrix_b need a layout");
    static constexpr bool kIsA = std::is_same_v<Use, matrix_a>,
                          kIsB = std::is_same_v<Use, matrix_b>;
    static constexpr int kRows = kIsB ? k : m, kColumns = kIsA ? k : n;

  public:
    using element_type = T;
    using storage_element_type = typename details::Held<T>::type;
    // As on a card, which holds halves once, twice or four times.
    static constexpr int num_elements =
        (kIsA || kIsB) && std::is_same_v<T, __half> ? 16 : kRows * kColumns / 32;
    static constexpr int num_storage_elements = num_elements;

    storage_element_type x[num_elements];

    CUSIM_UNCOUNTED fragment() { cusim::makeFragment(cusimView(), __builtin_return_address(0)); }

    // Only on the simulated device.
    CUSIM_UNCHECKED cusim::Fragment cusimView() const {
        return {const_cast<storage_element_type*>(x),
                const_cast<bool*>(&cusimIsSet_),
                details::elementType<T>(),
                kIsA   ? cusim::Role::A
                : kIsB ? cusim::Role::B
                       : cusim::Role::Accumulator,
                std::is_same_v<Layout, col_major>,
                kRows,
                kColumns,
                num_elements};
    }

  private:
    bool cusimIsSet_;
};

template <class Use, int m, int n, int k, class T, class Layout>
CUSIM_UNCOUNTED void fill_fragment(
    fragment<Use, m, n, k, T, Layout>& f,
    typename fragment<Use, m, n, k, T, Layout>::storage_element_type value) {
    cusim::fillFragment(f.cusimView(), &value, __builtin_return_address(0));
}

template <class Use, int m, int n, int k, class T, class Layout>
CUSIM_UNCOUNTED void load_matrix_sync(
    fragment<Use, m, n, k, T, Layout>& f,
    const typename fragment<Use, m, n, k, T, Layout>::storage_element_type* from, unsigned leading,
    cusim::Where at = cusim::Where::exactly()) {
    static_assert(!std::is_same_v<Use, accumulator>,
                  "a load of an accumulator needs a layout: mem_row_major or mem_col_major");
    cusim::loadFragment(f.cusimView(), from, leading, std::is_same_v<Layout, col_major>, at,
                        __builtin_return_address(0));
}
template <int m, int n, int k, class T>
CUSIM_UNCOUNTED void load_matrix_sync(
    fragment<accumulator, m, n, k, T>& f,
    const typename fragment<accumulator, m, n, k, T>::storage_element_type* from, unsigned leading,
    layout_t layout, cusim::Where at = cusim::Where::exactly()) {
    cusim::loadFragment(f.cusimView(), from, leading, layout == mem_col_major, at,
                        __builtin_return_address(0));
}
template <int m, int n, int k, class T>
CUSIM_UNCOUNTED void store_matrix_sync(
    typename fragment<accumulator, m, n, k, T>::storage_element_type* to,
    const fragment<accumulator, m, n, k, T>& f, unsigned leading, layout_t layout,
    cusim::Where at = cusim::Where::exactly()) {
    cusim::storeFragment(to, f.cusimView(), leading, layout == mem_col_major, at,
                         __builtin_return_address(0));
}

// Sets d to a * b + c; d may be c. Only sums of whole numbers can saturate.
template <int m, int n, int k, class T, class LayoutA, class LayoutB, class C, class D>
CUSIM_UNCOUNTED void mma_sync(fragment<accumulator, m, n, k, D>& d,
                              const fragment<matrix_a, m, n, k, T, LayoutA>& a,
                              const fragment<matrix_b, m, n, k, T, LayoutB>& b,
                              const fragment<accumulator, m, n, k, C>& c,
                              cusim::Where at = cusim::Where::exactly()) {
    static_assert(details::canMultiply<T, C, D>(), "mma_sync has no such types of c and d");
    cusim::multiplyFragments(d.cusimView(), a.cusimView(), b.cusimView(), c.cusimView(), false, at,
                             __builtin_return_address(0));
}
template <int m, int n, int k, class T, class LayoutA, class LayoutB>
CUSIM_UNCOUNTED void mma_sync(fragment<accumulator, m, n, k, int>& d,
                              const fragment<matrix_a, m, n, k, T, LayoutA>& a,
                              const fragment<matrix_b, m, n, k, T, LayoutB>& b,
                              const fragment<accumulator, m, n, k, int>& c, bool saturates,
                              cusim::Where at = cusim::Where::exactly()) {
    cusim::multiplyFragments(d.cusimView(), a.cusimView(), b.cusimView(), c.cusimView(), saturates,
                             at, __builtin_return_address(0));
}

}  // namespace nvcuda::wmma
