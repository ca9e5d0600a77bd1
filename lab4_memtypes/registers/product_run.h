// Calls a step's function. The tests know of its kernel only what this call does.
#pragma once

#include <cuda_runtime.h>

#include <string>
#include <vector>

#include "lab4_memtypes/registers/registers.h"
#include "matrix/compare.h"
#include "testing/lab.h"
#ifdef CUDA_SIMULATED_DEVICE
#include "simulator/simulator.h"
#endif

using lab::Shape;

struct Step {
    lab::Text about;  // the TODO or the function; begins the sentences
    Multiply* multiply;
};

inline lab::ProductRun runStep(const Step& step, matrix::DataSet set,
                               const std::vector<std::string>& leftToOtherTests = {}) {
    const Shape shape = lab::shapeOf(set);
    return lab::runProduct(leftToOtherTests, step.about, std::move(set), [&](auto... matrices) {
        step.multiply(matrices..., shape.j, shape.k, shape.l);
    });
}

// Fails the test unless the product is right for each shape, with fractions in the last one.
inline void expectRight(const Step& step, const std::vector<Shape>& shapes) {
    for (const Shape shape : shapes) {
        INFO(lab::text(shape));
        lab::expectProduct(step.about, runStep(step, lab::integers(shape)));
    }
    // Of a char, 256 phases are too many.
    for (const Shape shape : {Shape{300, 4, 4}, {4, 2056, 4}, {4, 4, 300}})
        lab::expectProduct(step.about, runStep(step, lab::integers(shape)));
    lab::expectProduct(step.about, runStep(step, lab::fractions(shapes.back())));
}

// Fails the test unless a single tile of P is right, which needs no code for edges. `store` is the
// TODO of the step's store.
inline void expectOneTile(const Step& step, [[maybe_unused]] const Todo& store) {
    const lab::ProductRun run = runStep(step, lab::integers({64, 16, 64}), {"unset-output"});
#ifdef CUDA_SIMULATED_DEVICE
    if (!cusim::launches().empty() && cusim::launches().front().global().stores == 0) {
        lab::beginWith(store);
        lab::fail("never-written", step.about,
                  "nothing is stored into P. It may be right, and can be judged when the "
                  "store,\n{}, is there.",
                  store);
    }
#endif
    lab::expectProduct(step.about, run);
}
