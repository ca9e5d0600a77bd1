#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "matrix/matrix.h"
#include "matrix/pattern.h"

namespace matrix {

// What a data set is made from: M is j x k, N is k x l, and so their product is j x l.
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

// The name of a set, such as square-017-uniform or rect-067x041x029-integers.
std::string setName(int j, int k, int l, Pattern pattern);

// Square sets: widths that tiles divide, that they do not, and that are smaller than a tile. Exact
// and real-valued patterns both occur.
const std::vector<SetSpec>& squareSets();

// Rectangular sets: vectors, outer and inner products, tall and wide ones, primes.
const std::vector<SetSpec>& rectangularSets();

// The matrices of a set. N is drawn from another seed than M. With the identity pattern M is the
// identity and N holds small integers, so that the product is N to the eye and a kernel that
// passes on its first operand does not pass. Throws std::invalid_argument for negative sizes.
DataSet build(const SetSpec& spec);

}  // namespace matrix
