#pragma once

#include <functional>
#include <iostream>
#include <string>

#include "matrix/matrix.h"

namespace harness {

// A lab as its main.cpp describes it.
struct Lab {
    const char* name;
    bool square;  // accepts only square matrices of one width
    // Computes P = M N: M is j x k, N is k x l, and P is passed as j x l, filled with poison.
    std::function<void(const matrix::Matrix& M, const matrix::Matrix& N, matrix::Matrix& P)>
        multiply;
    // The TILE_WIDTH of a tiled lab, else 0. Width must be a multiple of it, and the table shows it
    // beside how many times fewer global loads there are than the naive kernel's 2 j k l.
    int tileWidth = 0;

    // Returns why the lab cannot multiply this shape, as the end of a sentence; empty if it can.
    std::string refusal(int j, int k, int l) const;
};

// Does what the command line of a lab's program asks for (see --help) and returns the exit status:
// 0 all is right, 1 the kernel is wrong, 2 wrong usage or input. Reports go to out, the sentence
// for status 2 goes to err. Throws nothing.
int runLab(const Lab& lab, int argc, char** argv, std::ostream& out = std::cout,
           std::ostream& err = std::cerr);

}  // namespace harness
