// Tests what nvcc refuses and a C++ compiler would accept: device variables inside functions or
// passed by the host, host functions in device code, kernels that are called, and launches of
// functions without __global__.
#include <string>
#include <vector>

#include "refusal.h"

namespace {

std::string variableRefused(const std::string& keyword, const std::string& name) {
    return "k.cu:2: error: a " + keyword + " variable stands outside of functions; move " + name +
           " there; without " + keyword + " each thread has one";
}

const std::string kDeclared = "__constant__ float Mc[4]; __device__ float table[4], one;\n";
const std::string kLaunch = kDeclared + "void f(float* P) {\nk<<<1, 1>>>(";

}  // namespace

TEST_CASE("A device variable inside a function is refused with its name and a remedy") {
    checkRefused(variableRefused("__device__", "a"), "__global__ void k() {\n",
                 {"__device__ int a[10];", "__device__ int a;", "__device__ int a = 3;",
                  "__device__ int a{3};", "__device__ int a(-3);", "const __device__ int a = 3;",
                  "int __device__ a;", "__device__ float* a, *b;", "__device__ V<int, 3> a;",
                  "__device__ A<B<C<int>>> a;", "__device__ __align__(16) float a[4];",
                  "__device__ decltype(1) a;", "for (;;) { __device__ int a; }",
                  "f(); __device__ int a;", "{ } __device__ int a;"},
                 " }");
    CHECK(refusal("__global__ void k() {\n__constant__ float t[4]; }") ==
          variableRefused("__constant__", "t"));
    CHECK(refusal("void f() {\n__managed__ int n; }") == variableRefused("__managed__", "n"));
}

TEST_CASE("A file that is saved as UTF-16 is reported, and one with UTF-8's mark is read") {
    const std::string told =
        "k.cu:1: error: the file is saved as UTF-16, which compilers do not read; save it as UTF-8";
    using namespace std::string_literals;
    for (const std::string& text : {"\xff\xfe/\0"s, "\xfe\xff\0/"s, "/\0/\0"s, "\0/\0/"s})
        CHECK(refusal(text) == told);
    checkAccepted({"\xef\xbb\xbfint a;", "a", ""}, "", "");
}

TEST_CASE("A variable of a host thread is refused in a kernel, and not on the host") {
    checkRefused(
        "k.cu:2: error: a thread_local variable belongs to a thread of the host; without "
        "thread_local each thread of the kernel has one",
        "__global__ void k() {\n",
        {"thread_local int a;", "static thread_local E a;", "{ thread_local int a = 3; }"}, " }");
    checkAccepted({"void f() { thread_local int a; }", "static thread_local int a;",
                   "__host__ __device__ int f() { thread_local int a; return a; }"},
                  "", "");
}

TEST_CASE("A static device variable inside a function is refused as not supported") {
    checkRefused(
        "k.cu:2: error: a static __device__ variable inside a function is not supported on the "
        "simulated device; move a out of it, where it is one for the whole grid, too",
        "__global__ void k() {\n",
        {"static __device__ int a[10];", "__device__ static int a = 3;",
         "static const __device__ int a;", "const __device__ static int a;"},
        " }");
}

TEST_CASE("A function, a lambda and a variable of another file may be marked in a function") {
    checkAccepted(
        {"extern __device__ int a;", "__shared__ int a;", "__device__ __shared__ int a;",
         "__device__ int f(int);", "auto f = [=] __device__(int i) { return i; };",
         "auto f = [] __host__ __device__(int i) { return i; };",
         "g([=] __device__(int i) { return i; });",
         "struct F { __device__ int operator()(int i) const { return i; } };",
         "struct F { int n; __device__ F() : n(0) {} __device__ ~F(); __device__ int f() const; "
         "};",
         "struct F { static __device__ int f(); friend __device__ int g(F); };",
         "struct F { template <class T> __device__ T f(T a) { return a; } };",
         "struct F { __device__ A<B<C<int>>> f() { if (a > 0 && b > 0 && c > 0) d = 1; } };",
         "\n#if 0\n__device__ int a;\n#endif\n"},
        "__global__ void k() { ", " }");
}

TEST_CASE("A kernel that is called as a function is refused") {
    for (const std::string kernel :
         {"__global__ void k(int* p) {}", "__global__ void k(int*);",
          "template <int N> __global__ void __launch_bounds__(64) k(int* p) {}"})
        checkRefused(
            "k.cu:2: error: a kernel is launched, and not called; write "
            "k<<<grid, block>>>(arguments)",
            kernel + " void f() {\n",
            {"k(p);", "::k(p);", "k<16>(p);", "k<A<B<C>>>(p);", "if (p) k(p);", "CHECK(k(p));",
             "return k(p);", "do k(p); while (0);", "f(); k (p);", "{ } k(p);", "(void)k(p);",
             "k(p); k<<<1, 1>>>(p); cudaFuncSetAttribute(k, a, b); f(&k);"},
            " }");
}

TEST_CASE("What may be another function of the kernel's name is no call of it") {
    const std::string kernel = "__global__ void k(int* p) {}\n", call = "k(p);";
    checkAccepted(
        {
            "void k(int n) {} void f() { " + call + " }",
            "#define k other\nvoid f() { " + call + " }",
            "void f() { auto k = [](int* p) {}; " + call + " }",
            "void f(void (*k)(int*)) { " + call + " }",
            "template <class K> void f(K& k) { " + call + " }",
            "template <class K> void f(V<K> k) { " + call + " }",
            "void f(A<B<C<int>>> k) { " + call + " }",
            "void f(A<B<C<int>>>& k) { " + call + " }",
            "void f() { Kernel k(p); }",
            "struct S { int k; S() : k(2) {} };",
            "namespace a { int k(int* p); } void f() { a::k(p); }",
            "void f() { s.k(p); s->k(p); }",
            "void f() {\n#if 0\n" + call + "\n#endif\n}",
            "void f() { k<<<1, 1>>>(p); g(k, &k); table[k] = k; }",
        },
        kernel);
}

TEST_CASE("A refusal is reported as a compiler's message and a line of help") {
    try {
        translate::translate("\nk<<<1, 2;", "dir/k.cu");
        FAIL("nothing is refused");
    } catch (const translate::TranslationError& error) {
        CHECK(error.report() ==
              "dir/k.cu:2: error: the launch has no >>>\n"
              "help: line 2: write kernel<<<grid, block>>>(arguments).\n");
    }
}

TEST_CASE("A launch of a function that is declared without __global__ is refused with both lines") {
    for (const std::string& declaration : std::vector<std::string>{
             "void k(int* a) {}", "void k(int*);", "static inline void k(int* a) {}",
             "__device__ void k(int* a) {}", "int x;\nnamespace a {\nvoid k(int*) {}\n}",
             "void k(int*) { k(0); }"}) {
        INFO(declaration);
        const int line = declaration[0] == 'i' ? 3 : 1, launch = line == 3 ? 5 : 2;
        const std::string text = declaration + "\nvoid f() { k<<<1, 1>>>(p); }";
        CHECK(refusal(text) == "k.cu:" + std::to_string(launch) +
                                   ": error: a launch needs a __global__ function; k is declared "
                                   "without it in line " +
                                   std::to_string(line));
    }
}

TEST_CASE("A launch of what may be a kernel for all that the text says is left alone") {
    const std::string plain = "void k(int* a) {}\n", launch = " k<<<1, 1>>>(p); ";
    checkAccepted({
        "__global__ void k(int*);\n" + plain + "void f() {" + launch + "}",
        plain + "__global__ void k(float*);\nvoid f() {" + launch + "}",
        "#define KERNEL __global__\nKERNEL " + plain + "void f() {" + launch + "}",
        "#define VOID __global__ void\nVOID k(int*) {}\nvoid f() {" + launch + "}",
        "#include \"kernels.h\"\n" + plain + "void f() {" + launch + "}",
        "#define k other\n" + plain + "void f() {" + launch + "}",
        "#if 0\n" + plain + "#endif\nvoid f() {" + launch + "}",
        plain + "template <class K> void f(K k) {" + launch + "}",
        plain + "template <class K> void f(K* k) {" + launch + "}",
        plain + "void f() { void (*k)(int*) = other; " + launch + "}",
        plain + "void f() { auto k = other;" + launch + "}",
        plain + "void f() { Pointer k(other);" + launch + "}",
        plain + "void f() { A<B<C<int>>> k(other);" + launch + "}",
        plain + "template <void (*k)(int*)> void f() {" + launch + "}",
        plain + "void f() { s.k<<<1, 1>>>(p); s.k = 0; }",
        plain + "void f() { (*k)<<<1, 1>>>(p); table[k]<<<1, 1>>>(p); }",
        "struct S { void k(int*) {} };\nvoid f() {" + launch + "}",
        "void f() {" + launch + "}",
        "__global__ void __launch_bounds__(64) k(int*) {}\nvoid f() {" + launch + "}",
    });
}

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

TEST_CASE("The compiler gets an option to refuse arrays of variable size in device functions") {
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
            "void f(A<B<C<int>>> Mc) { " + launch + " }",
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
        kDeclared);
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

TEST_CASE("A library that no lab has is refused at its line") {
    const std::string all =
        "k.cu:2: error: <thrust/sort.h> belongs to a library for a card; the "
        "simulated device has no such library; write the kernel";
    CHECK(refusal("// <cub/\n#include <thrust/sort.h>\nint f();\n") == all);
}

TEST_CASE("A kernel that returns something is refused, and any other one is not") {
    checkRefused(
        "k.cu:2: error: a __global__ function must have a void return type; write void, and let "
        "the kernel store its result through a pointer",
        "int n;\n",
        {"__global__ int k(int* p)", "int __global__ k()", "template <class T> __global__ T* k()",
         "static __global__ __launch_bounds__(64) unsigned k()"},
        " {}");
    checkAccepted(
        {"__global__ void k(int* p)", "void __global__ k()", "__global__ Void k()",
         "__global__ void __launch_bounds__(N * sizeof(int)) k()", "int* p; __global__ void k()",
         "template <class T> __global__ If<int, void> k()"},
        "", " {}");
}
