// Tests that names of the host are refused in a kernel, unless the file gives them another meaning.
#include <string>
#include <vector>

#include "refusal.h"

namespace {

std::string kernel(const std::string& statement) {
    return "__global__ void k(float* P) {\n" + statement + " }\n";
}
const std::string kCheck =
    "#define CHECK(call) \\\n do { if (call) { fprintf(stderr, \"%s\", \"\"); exit(1); } } while "
    "(0)\n";

}  // namespace

TEST_CASE("A function of the C library or of the CUDA runtime is refused in a kernel") {
    for (const std::string name : {"rand", "exit", "fprintf", "srand", "time", "cudaMalloc",
                                   "cudaMemcpy", "cudaGetLastError", "cudaDeviceSynchronize"})
        checkRefused(
            "k.cu:2: error: " + name + " is a function of the host; a kernel cannot call it",
            "__global__ void k(float* P) {\n", {"", "std::", "::"}, name + "(1); }\n");
}

TEST_CASE("A macro that calls functions of the host is refused in a kernel with their names") {
    CHECK(refusal(kCheck + kernel("CHECK(cudaGetLastError());")) ==
          "k.cu:4: error: CHECK is for the host side; a kernel cannot call fprintf and exit");
}

TEST_CASE("A class of the host is refused in a kernel") {
    CHECK(refusal(kernel("std::vector<float> v(3);")) ==
          "k.cu:2: error: std::vector belongs to the host; a kernel has arrays of a fixed size, as "
          "in float v[3]");
    CHECK(refusal(kernel("std::string s;")) ==
          "k.cu:2: error: std::string belongs to the host; a kernel cannot use it");
    CHECK(
        refusal(kernel("std::cout << 1;")) ==
        "k.cu:2: error: std::cout belongs to the host; a kernel cannot use it; printf works there");
}

TEST_CASE("No __device__ is advised for a function that launches a kernel or calls the runtime") {
    checkRefused(
        "k.cu:3: error: product is a function of the host; a kernel cannot call it; the host calls "
        "the kernel",
        "void product(float* P);\n" + kernel("product(P);") + "void product(float* P) { ",
        {"k<<<1, 1>>>(0);", "cudaFree(0);"}, " }\n");
}

TEST_CASE("What a kernel may call, and a name that means something else, is left alone") {
    checkAccepted({
        kernel("printf(\"%d\", 1); assert(P); free(malloc(4)); memset(P, 0, 4);"),
        kernel("P[0] = clock();"),
        kernel("s.exit(1); s->rand(); a::rand(1); (void)sizeof(rand());"),
        kernel("float rand(2); P[0] = rand;"),
        kernel("auto exit = [](int a) { return a; }; exit(1);"),
        kernel("#if 0\n exit(1);\n#endif\n"),
        "__device__ float rand(int a) { return a; }\n" + kernel("P[0] = rand(1);"),
        "#define rand(a) (a)\n" + kernel("P[0] = rand(1);"),
        "#ifdef A\n" + kCheck + "#endif\n" + kernel("CHECK(1);"),
        kCheck + "#undef CHECK\n#define CHECK(a) (a)\n" + kernel("CHECK(1);"),
        kCheck + "void f() { CHECK(cudaGetLastError()); exit(1); std::vector<float> v; }",
        "__host__ __device__ void f() { exit(1); }",
    });
}
