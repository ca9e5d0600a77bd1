// Tests the host side and the kernel together.
#include "lab1_naive/matrix_add/sums.h"
#include "testing/device.h"
#ifdef CUDA_SIMULATED_DEVICE
#include "testing/lab_sim.h"
#endif

using matrix::Matrix;
using sums::Operands;

TEST_CASE("the sum is right for every shape") {
    const sums::Shape shapes[] = {{3, 5},   {5, 3},  {1, 1},    {1, 100},  {100, 1}, {16, 16},
                                  {17, 33}, {70, 9}, {64, 128}, {128, 96}, {2, 300}, {300, 2}};
    for (const sums::Shape shape : shapes)
        for (const auto pattern : {matrix::Pattern::SmallIntegers, matrix::Pattern::Uniform}) {
            INFO(sums::text(shape));
            const Operands in = sums::operands(shape, pattern);
            Matrix C = matrix::poisoned(shape.rows, shape.cols);
            lab::run("matrixAdd", lab::gives(C).from(in.A, in.B), [&] {
                matrixAdd(in.A.data(), in.B.data(), C.data(), shape.rows, shape.cols);
            });
            sums::expectSum("matrixAdd", C, in);
        }
#ifdef CUDA_SIMULATED_DEVICE
    const Operands in = sums::operands({17, 33});
    Matrix sum = matrix::poisoned(17, 33);
    const auto add = [&] { matrixAdd(in.A.data(), in.B.data(), sum.data(), 17, 33); };
    const lab::Outputs outputs = lab::gives(sum).from(in.A, in.B);
    lab::run("matrixAdd", outputs, add);
    lab::expectDeviceValues("matrixAdd", "C", sum, outputs, add);
#endif
    lab::expectLastElement(
        "matrixAdd",
        [](const Matrix& A) {
            Matrix C(A.rows(), A.cols());
            matrixAdd(A.data(), A.data(), C.data(), A.rows(), A.cols());
            return C.data()[C.size() - 1];
        },
        [](const Matrix& A) { return 2 * A.data()[A.size() - 1]; });
}

TEST_CASE("A and B are not changed") {
    Operands in = sums::operands({19, 41});
    const Operands before = in;
    Matrix C = matrix::poisoned(19, 41);
    lab::run("matrixAdd", lab::gives(C, in.A, in.B),
             [&] { matrixAdd(in.A.data(), in.B.data(), C.data(), 19, 41); });
    if (C == matrix::poisoned(19, 41) || device::notStoredByKernels(C) > 0)
        lab::fail("never-written", "matrixAdd: nothing is computed yet, so nothing can be judged.");
    lab::expectUntouched("A", in.A, before.A);
    lab::expectUntouched("B", in.B, before.B);
}
