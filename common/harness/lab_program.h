#pragma once

#include <functional>
#include <iostream>
#include <string>

#include "matrix/matrix.h"

namespace harness {

// A lab as its main.cpp describes it.
struct Lab {
    const char* name;
    bool square;  // takes square matrices of one width only
    // Computes P = M N. P has its shape, j x l, and is poisoned; M is j x k, N is k x l.
    std::function<void(const matrix::Matrix& M, const matrix::Matrix& N, matrix::Matrix& P)>
        multiply;
    int multipleOf = 1;  // Width must be a multiple of this, a tiled lab's TILE_WIDTH
    // How many times fewer global loads than the naive kernel's 2 j k l are expected: the table
    // then shows what was measured beside it. 0: nothing is expected.
    int fewerLoads = 0;

    // What it cannot multiply of this shape, as the end of a sentence; empty where it can.
    std::string refusal(int j, int k, int l) const;
};

// The program of a lab: does what its command line asks for (see --help) and returns the exit
// status: 0 all is right, 1 something is wrong with the kernel, 2 wrong usage or input. Reports go
// to out, the sentence for status 2 goes to err. Throws nothing.
int runLab(const Lab& lab, int argc, char** argv, std::ostream& out = std::cout,
           std::ostream& err = std::cerr);

}  // namespace harness
