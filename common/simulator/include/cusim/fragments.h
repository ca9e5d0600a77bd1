// Fragments of small matrices, which the lanes of a warp hold together, as mma.h loads, multiplies
// and stores them.
#pragma once

#include "cusim/uncounted.h"
#include "cusim/where.h"

namespace cusim {

enum class ElementType : unsigned char {
    Half,
    Bfloat16,
    Tf32,
    Float,
    Double,
    SignedChar,
    UnsignedChar,
    Int
};
enum class Role : unsigned char { A, B, Accumulator };

// One lane's part of a matrix.
struct Fragment {
    void* elements;
    bool* isSet;  // by a call; false if only the kernel's own code has stored elements
    ElementType type;
    Role role;
    bool byColumns;  // the layout of A and B in memory
    int rows, columns;
    int count;  // of the elements
};

// `place` is a return address into the kernel.
void makeFragment(const Fragment& fragment, const void* place);
void fillFragment(const Fragment& fragment, const void* value, const void* place);
// `leading` is the number of elements from one row to the next, or column if `byColumns`.
void loadFragment(const Fragment& fragment, const void* from, unsigned leading, bool byColumns,
                  Where at, const void* place);
void storeFragment(void* to, const Fragment& fragment, unsigned leading, bool byColumns, Where at,
                   const void* place);
// Sets d to a * b + c.
void multiplyFragments(const Fragment& d, const Fragment& a, const Fragment& b, const Fragment& c,
                       bool saturates, Where at, const void* place);

}  // namespace cusim
