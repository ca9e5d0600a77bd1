// Tests what nvcc refuses in device functions, and device variables that the host passes.
#include <string>
#include <vector>

#include "refusal.h"

namespace {

const std::string kArrays = "__constant__ float Mc[4]; __device__ float table[4], one;\n";
const std::string kLaunch = kArrays + "void f(float* P) {\nk<<<1, 1>>>(";

}  // namespace

TEST_CASE("A function of the standard library for the host is refused in a kernel") {
    for (const std::string head :
         {"__global__ void k(int* p)", "__device__ int k(int* p)",
          "template <int N> __global__ void __launch_bounds__(64) k(int* p)",
          "static __device__ __forceinline__ int k(int* p = nullptr)"})
        checkRefused(
            "k.cu:2: error: std::max is a function for the host, and called on the device; write "
            "max(a, b) without std::",
            head + " {\n",
            {"p[0] = std::max(1, 2);", "p[std::max<int>(1, *p)] = 2;",
             "if (p[0] < ::std::max(1, 2)) return;"},
            " }");
    CHECK(holds(refusal("__global__ void k(int* p) { std::swap(p[0], p[1]); }"), "std::swap is"));
}

TEST_CASE("What the standard library has for both sides, and what the host calls, is left alone") {
    checkAccepted({
        "void f(int a) { a = std::max(a, 1); }",
        "__host__ __device__ int f(int a) { return std::max(a, 1); }",
        "template <class T> __device__ T f(T a) { return std::max(a, a); }",
        "__global__ void k(float* p) { p[0] = std::sqrt(std::abs(p[1])); }",
        "__global__ void k(float* p) { p[0] = sizeof(std::max(1, 2)); }",
        "__global__ void k(float* p) { p[0] = max(1, 2) + s::max(1, 2); }",
        "__global__ void k(float* p) {\n#ifndef __CUDA_ARCH__\np[0] = std::max(1, "
        "2);\n#endif\n}",
        "#ifdef SLOW\n__global__ void k(float* p) { p[0] = std::max(1, 2); }\n#endif\n",
        "__global__ void k(int* p) {} int g(int a) { return std::max(a, 1); }",
    });
}

TEST_CASE("A compiler is told to refuse arrays of variable size in functions for the device") {
    const std::string error = "_Pragma(\"GCC diagnostic error \\\"-Wvla\\\"\")";
    const std::string ignored = "_Pragma(\"GCC diagnostic ignored \\\"-Wvla\\\"\")";
    for (const std::string head :
         {"__global__ void k()", "__device__ int k(int)", "__host__ __device__ V<int> k()"})
        for (const std::string array : {"float row[n];", "float *a, *row[n];", "int a = 1, row[n];",
                                        "__shared__ int a; const int row[n];"}) {
            INFO(head << array);
            const std::string text = translate::translate(head + " { " + array + " }", "k.cu");
            CHECK(holds(text, head + " { " + error));
            CHECK(holds(text, ignored + " }"));
        }
    for (const std::string text :
         {"void f() { float row[n]; }", "__device__ int a = {1};", "__global__ void k() { a; }",
          "__device__ int a[] = {f(1)};", "struct S { int a[1]; };",
          "__global__ void k() { __shared__ float Mds[T], Nds[T]; Mds[0] = Nds[1]; }"}) {
        INFO(text);
        CHECK_FALSE(holds(translate::translate(text, "k.cu"), "_Pragma"));
    }
}

TEST_CASE("A variable of the device that host code passes to a kernel is refused") {
    checkRefused(
        "k.cu:3: error: host code passes Mc, a variable of the device; a kernel sees Mc by its "
        "name; take it out of the launch",
        kLaunch, {"Mc", "P, Mc", "P, Mc, 1", "&Mc", "(float*)Mc", "(const float*)&Mc, P"}, "); }");
    CHECK(holds(refusal(kLaunch + "table); }"), "passes table,"));
    CHECK(holds(refusal(kLaunch + "&one); }"), "passes one,"));
}

TEST_CASE("An argument that may be something else than a variable of the device is left alone") {
    checkAccepted({"one", "P", "Mc[0]", "sizeof Mc", "address(Mc)", "s.Mc", "\"Mc\"",
                   "P + sizeof(Mc)", "&s.Mc", ""},
                  kLaunch, "); }");
    const std::string launch = "k<<<1, 1>>>(Mc);";
    checkAccepted(
        {
            "void f(float* Mc) { " + launch + " }",
            "void f(float P[], float Mc[]) { " + launch + " }",
            "void f(V<float>& Mc) { " + launch + " }",
            "void f() { float *P, *Mc; " + launch + " }",
            "void f() { float P[1], Mc[1]; " + launch + " }",
            "void f() { auto [Mc, P] = g(); " + launch + " }",
            "void f() { using s::Mc; " + launch + " }",
            "#define Mc P\nvoid f() { " + launch + " }",
            "void f() {\n#if 0\n" + launch + "\n#endif\n}",
            "struct S : T { void f() { " + launch + " } };",
            "void S::f() { " + launch + " }",
            "namespace a { void f() { " + launch + " } }",
            "__global__ void parent() { " + launch + " }",
        },
        kArrays);
    checkAccepted({"__managed__ float Mc[4];", "namespace a { __device__ float Mc[4]; }"}, "",
                  " void f() { " + launch + " }");
}

TEST_CASE("A file's constant memory is summed up, where all of it has names in the same place") {
    const auto sums = [](const std::string& text) {
        return allBetween(translate::translate(text, "k.cu"), "static_assert(", " <=");
    };
    using Sums = std::vector<std::string>;
    CHECK(sums("__constant__ int a[4];\n__device__ int b; __constant__ int c;") ==
          Sums{"sizeof(a)", "sizeof(a) + sizeof(c)"});
    CHECK(sums("__constant__ int a;\n#if A\n__constant__ int b;\n#else\n__constant__ int b, "
               "c;\n#endif\n"
               "namespace n { __constant__ int d; } __constant__ int e;") ==
          Sums{"sizeof(a)", "sizeof(b)", "sizeof(b)", "sizeof(c)", "sizeof(d)",
               "sizeof(a) + sizeof(e)"});
}
