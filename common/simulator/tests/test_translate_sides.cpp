// Tests that a call of the other side's function, and a name of the host in a kernel, is refused
// if the text leaves no doubt.
#include <string>
#include <vector>

#include "refusal.h"

namespace {

const std::string kHostFunction = "float twice(float a) { return 2 * a; }\n";
const std::string kDeviceFunction = "__device__ float twice(float a) { return 2 * a; }\n";
const std::string kKernel = "__global__ void k(float* P) { ";
std::string kernel(const std::string& statement) { return kKernel + statement + " }\n"; }
// Returns a kernel whose statement stands on a line of its own.
std::string kernelBelow(const std::string& statement) { return kernel("\n" + statement); }
const std::string kCheck =
    "#define CHECK(call) \\\n do { if (call) { fprintf(stderr, \"%s\", \"\"); exit(1); } } while "
    "(0)\n";

}  // namespace

TEST_CASE("A host function that a kernel calls is refused on the line of the call") {
    const std::string wanted =
        "k.cu:2: error: twice is a function of the host; a kernel cannot call it; write "
        "__device__ in front of twice";
    checkRefused(wanted, kHostFunction + kKernel,
                 {"P[0] = twice(P[1]);", "P[0] += P[1] * twice(P[2]);",
                  "if (twice(*P) > 1) return;", "twice(1);", "P[0] = 3 & (int)twice(1);"},
                 " }\n");
    checkRefused(wanted, kHostFunction,
                 {"template <typename T> __global__ void k(T* P) ",
                  "template <class T = A<B<int>>> __global__ void k(T* P) ",
                  "extern \"C\" __global__ void k(float* P) ",
                  "__global__ void __launch_bounds__(256) k(float* P) ",
                  "static __device__ __forceinline__ void k(float* P) "},
                 "{ *P = twice(*P); }\n");
    CHECK(refusal("static inline float twice(float);\n" + kernel("*P = twice(1);")) == wanted);
    CHECK(refusal("namespace a { " + kHostFunction + kernel("*P = twice(1);") + "}") == wanted);
}

TEST_CASE("A device function that the host calls is refused on the line of the call") {
    CHECK(refusal(kDeviceFunction + "int main() { return twice(1); }") ==
          "k.cu:2: error: twice is a function of the device; the host cannot call it; write "
          "__host__ __device__ in front of twice");
}

TEST_CASE("A call is left alone where its function may be for both sides") {
    const std::string device = kernel("P[0] = twice(P[1]);");
    const std::string host = "int main() { return twice(1); }\n";
    checkAccepted({
        kDeviceFunction + device,
        kHostFunction + host,
        "__host__ __device__ float twice(float a);\n" + device + host,
        "__device__ float twice(float a);\n" + kHostFunction + device,
        "#define HD __host__ __device__\nHD " + kHostFunction + device,
        "#define twice(a) ((a) + (a))\n" + device,
        "#include \"twice.h\"\n" + kHostFunction + device,
        "#ifdef __CUDA_ARCH__\n" + kDeviceFunction + "#else\n" + kHostFunction + "#endif\n" +
            device,
        "constexpr " + kHostFunction + device,
        "auto twice(float a) { return a; }\n" + device,
        "template <typename T> T twice(T a) { return a; }\n" + device,
        "int min(int a, float b) { return a; }\n" + kernel("P[0] = min(1, 2);"),
    });
}

TEST_CASE("A call is left alone where another thing may have the function's name") {
    checkAccepted({"auto twice = [](float a) { return a; }; *P = twice(*P);", "*P = s.twice(1);",
                   "*P = s->twice(1);", "*P = other::twice(1);", "Twice twice(1); *P = twice(2);",
                   "*P = sizeof(twice(1));", "decltype(twice(1)) a = 1;",
                   "\n#ifndef __CUDA_ARCH__\n*P = twice(1);\n#endif\n"},
                  kHostFunction + kKernel, " }\n");
    const std::string lambda =
        "int main() { auto f = [] __device__(float a) { return twice(a); }; }";
    CHECK(refusal(kDeviceFunction + lambda).empty());
}

TEST_CASE("A call below a kernel with a bracket too few is left to the compiler") {
    for (const std::string broken : {"P[0] = sqrtf(P[1];", "P[0] = P[1;", "float v[2;"})
        CHECK(refusal(kHostFunction + kernelBelow(broken) +
                      "\nvoid product(float* P) { cudaFree(P); *P = twice(*P); }\n")
                  .empty());
}

TEST_CASE("A function of the C library or of the CUDA runtime is refused in a kernel") {
    for (const std::string name : {"rand", "exit", "fprintf", "srand", "time", "cudaMalloc",
                                   "cudaMemcpy", "cudaGetLastError", "cudaDeviceSynchronize"})
        checkRefused(
            "k.cu:2: error: " + name + " is a function of the host; a kernel cannot call it",
            "__global__ void k(float* P) {\n", {"", "std::", "::"}, name + "(1); }\n");
}

TEST_CASE("A macro that calls functions of the host is refused in a kernel with their names") {
    CHECK(refusal(kCheck + kernelBelow("CHECK(cudaGetLastError());")) ==
          "k.cu:4: error: CHECK is for the host side; a kernel cannot call fprintf and exit");
}

TEST_CASE("A class of the host is refused in a kernel") {
    CHECK(refusal(kernelBelow("std::vector<float> v(3);")) ==
          "k.cu:2: error: std::vector belongs to the host; a kernel has arrays of a fixed size, as "
          "in float v[3]");
    CHECK(refusal(kernelBelow("std::string s;")) ==
          "k.cu:2: error: std::string belongs to the host; a kernel cannot use it");
    CHECK(
        refusal(kernelBelow("std::cout << 1;")) ==
        "k.cu:2: error: std::cout belongs to the host; a kernel cannot use it; printf works there");
}

TEST_CASE("No __device__ is advised for a function that launches a kernel or calls the runtime") {
    checkRefused(
        "k.cu:3: error: product is a function of the host; a kernel cannot call it; the host calls "
        "the kernel",
        "void product(float* P);\n" + kernelBelow("product(P);") + "void product(float* P) { ",
        {"k<<<1, 1>>>(0);", "cudaFree(0);"}, " }\n");
}

TEST_CASE("What a kernel may call, and a name that means something else, is left alone") {
    checkAccepted({
        kernelBelow("printf(\"%d\", 1); assert(P); free(malloc(4)); memset(P, 0, 4);"),
        kernelBelow("P[0] = clock();"),
        kernelBelow("s.exit(1); s->rand(); a::rand(1); (void)sizeof(rand());"),
        kernelBelow("float rand(2); P[0] = rand;"),
        kernelBelow("auto exit = [](int a) { return a; }; exit(1);"),
        kernelBelow("#if 0\n exit(1);\n#endif\n"),
        "__device__ float rand(int a) { return a; }\n" + kernelBelow("P[0] = rand(1);"),
        "#define rand(a) (a)\n" + kernelBelow("P[0] = rand(1);"),
        "#ifdef A\n" + kCheck + "#endif\n" + kernelBelow("CHECK(1);"),
        kCheck + "#undef CHECK\n#define CHECK(a) (a)\n" + kernelBelow("CHECK(1);"),
        kCheck + "void f() { CHECK(cudaGetLastError()); exit(1); std::vector<float> v; }",
        "__host__ __device__ void f() { exit(1); }",
    });
}
