// Random programs for the random kernel, and the values that some of them have.
#pragma once

#include <vector>

#include "noted_steps.h"
#include "random_steps.h"

namespace random_kernel {

// A step of an actor's, in one number of a program.
struct Step {
    int what, place, value;
    static Step of(int code) { return {code % 100, code / 100 % 10, code / 1000}; }
    int code() const { return what + 100 * place + 1000 * value; }
};
// A number for each step of each actor.
using Program = std::vector<int>;

Program randomProgram(unsigned seed);
// Returns one whose values are the same however its threads run, says the memory model.
Program determinedProgram(unsigned seed);

// What a kernel leaves.
struct Values {
    std::vector<int> g, same, f, sink;
    bool operator==(const Values& other) const {
        return g == other.g && same == other.same && f == other.f && sink == other.sink;
    }
};
// Returns what a determined program leaves, by doing one step of each thread after the other.
Values valuesOf(const Program& program);

// Returns what the threads of a program do, one step of each after the other.
std::vector<NotedStep> listOf(const Program& program);

}  // namespace random_kernel
