// mma_sync of mma.h. The lane that continues first computes the product. See fragments.cpp.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include "simulator/engine/block_runner.h"
#include "simulator/hooks/fragment_part.h"
#include "simulator/include/cusim/small_formats.h"

namespace cusim {
namespace {

// The operands of the lanes; the first lane that continues computes the product of all.
struct Product {
    Fragment d, a, b, c;
    bool saturates;
    bool isDone = false;
};

template <class Number>
Number as(const void* bytes) {
    Number number;
    std::memcpy(&number, bytes, sizeof number);
    return number;
}

template <class Sum>
Sum valueOf(ElementType type, const char* at) {
    switch (type) {
        case ElementType::Half:
            return Sum(smallValue<HalfFormat>(as<unsigned short>(at)));
        case ElementType::Bfloat16:
            return Sum(smallValue<BfloatFormat>(as<unsigned short>(at)));
        case ElementType::Tf32: {  // as on a card, which ignores the other bits
            const unsigned bits = as<unsigned>(at) & ~0x1fffu;
            return Sum(as<float>(&bits));
        }
        case ElementType::Float:
            return Sum(as<float>(at));
        case ElementType::Double:
            return Sum(as<double>(at));
        case ElementType::SignedChar:
            return Sum(as<signed char>(at));
        case ElementType::UnsignedChar:
            return Sum(as<unsigned char>(at));
        case ElementType::Int:
            return Sum(as<std::int32_t>(at));
    }
    return 0;
}

void setValue(const Part& part, int i, ElementType type, double sum, bool) {
    const unsigned short half = smallBits<HalfFormat>(sum);
    const auto single = static_cast<float>(sum);
    part.set(i, type == ElementType::Half     ? static_cast<const void*>(&half)
                : type == ElementType::Double ? static_cast<const void*>(&sum)
                                              : &single);
}
void setValue(const Part& part, int i, ElementType, std::int64_t sum, bool saturates) {
    using Limits = std::numeric_limits<std::int32_t>;
    if (saturates) sum = std::clamp<std::int64_t>(sum, Limits::min(), Limits::max());
    const auto wrapped = static_cast<std::int32_t>(sum);
    part.set(i, &wrapped);
}

// Returns a matrix by rows, from the parts of all lanes.
template <class Sum>
std::vector<Sum> gathered(Product* const* lanes, Fragment Product::*which) {
    const Fragment& first = lanes[0]->*which;
    std::vector<Sum> matrix(static_cast<std::size_t>(first.rows) * first.columns);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
        const Part part(lanes[lane]->*which);
        for (int i = 0; i < part.distinct(); ++i) {
            const auto [row, column] = part.position(lane, i);
            matrix[row * first.columns + column] = valueOf<Sum>(first.type, part.at(i));
        }
    }
    return matrix;
}

// Adds each product of two elements to the element of c, in the order of k, and rounds at the end.
// Products of other types are exact in a double; those of doubles are fused with the sum, as on a
// card.
template <class Sum>
void multiplyAll(Product* const* lanes) {
    const Product& first = *lanes[0];
    const int n = first.d.columns, k = first.a.columns;
    const std::vector<Sum> a = gathered<Sum>(lanes, &Product::a);
    const std::vector<Sum> b = gathered<Sum>(lanes, &Product::b);
    const std::vector<Sum> c = gathered<Sum>(lanes, &Product::c);
    const bool fuses = first.a.type == ElementType::Double;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
        const Part part(lanes[lane]->d);
        for (int i = 0; i < part.distinct(); ++i) {
            const auto [row, column] = part.position(lane, i);
            Sum sum = c[row * n + column];
            for (int step = 0; step < k; ++step) {
                const Sum x = a[row * k + step], y = b[step * n + column];
                if constexpr (std::is_same_v<Sum, double>)
                    sum = fuses ? std::fma(x, y, sum) : sum + x * y;
                else
                    sum += x * y;
            }
            setValue(part, i, first.d.type, sum, first.saturates);
        }
        *lanes[lane]->d.isSet = true;
        lanes[lane]->isDone = true;
    }
    ++cusimWorker->tensorOperations;
    cusimWorker->tensorFlop += std::uint64_t{2} * first.d.rows * n * k;
}

bool hasSameTypes(const Product& one, const Product& other) {
    const auto same = [&](Fragment Product::*which) {
        const Fragment &a = one.*which, &b = other.*which;
        return a.type == b.type && a.role == b.role && a.rows == b.rows && a.columns == b.columns;
    };
    return same(&Product::a) && same(&Product::c) && same(&Product::d) &&
           one.saturates == other.saturates;
}

}  // namespace

void multiplyFragments(const Fragment& d, const Fragment& a, const Fragment& b, const Fragment& c,
                       bool saturates, Where at, const void* place) {
    for (const Fragment* const read : {&a, &b, &c}) Part(*read).announce(AccessKind::Load, place);
    Part(d).announce(AccessKind::Store, place);
    Product own{d, a, b, c, saturates};
    const WarpValues& all = meet("mma_sync", reinterpret_cast<std::uintptr_t>(&own), at);
    if (own.isDone) return;
    Product* lanes[kLanes];
    for (unsigned lane = 0; lane < kLanes; ++lane) {
        lanes[lane] = reinterpret_cast<Product*>(static_cast<std::uintptr_t>(all.value[lane]));
        if (!hasSameTypes(*lanes[lane], own))
            cusimWorker->runner->fail({"warp-arguments",
                                       "the lanes of a warp give mma_sync fragments of other types",
                                       at, "Let all lanes of a warp call the same mma_sync."});
        refuseUnset(lanes[lane]->a, "mma_sync", "the fragment of matrix_a", at);
        refuseUnset(lanes[lane]->b, "mma_sync", "the fragment of matrix_b", at);
        refuseUnset(lanes[lane]->c, "mma_sync", "the accumulator that it adds to", at);
    }
    if (d.type == ElementType::Int)
        multiplyAll<std::int64_t>(lanes);
    else
        multiplyAll<double>(lanes);
}

}  // namespace cusim
