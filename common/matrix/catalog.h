#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "matrix/matrix.h"
#include "matrix/pattern.h"

namespace matrix {

// Describes a data set: M is j x k, N is k x l, their product is j x l.
struct SetSpec {
    std::string name;
    int j = 0;
    int k = 0;
    int l = 0;
    Pattern pattern = Pattern::SmallIntegers;
    std::uint64_t seed = 0;
};

struct DataSet {
    SetSpec spec;
    Matrix M;
    Matrix N;
};

// Returns the name of a set, such as square-017-uniform or rect-067x041x029-integers.
std::string setName(int j, int k, int l, Pattern pattern);

// Returns the square sets: widths that are multiples of a tile's, widths that are not, and widths
// smaller than a tile. Patterns are exact and real-valued.
const std::vector<SetSpec>& squareSets();

// Returns the rectangular sets: vectors, outer and inner products, tall and wide matrices, primes.
const std::vector<SetSpec>& rectangularSets();

// Generates the matrices of a set; M and N have different seeds. With the identity pattern M is the
// identity and N holds small integers: the product is easy to read, and a kernel that returns M
// fails. Throws std::invalid_argument for negative sizes.
DataSet build(const SetSpec& spec);

}  // namespace matrix
