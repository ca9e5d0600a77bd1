// Tests that a launch of a function without __global__ is refused where the text leaves no doubt.
#include <string>
#include <vector>

#include "refusal.h"

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
        plain + "template <void (*k)(int*)> void f() {" + launch + "}",
        plain + "void f() { s.k<<<1, 1>>>(p); s.k = 0; }",
        plain + "void f() { (*k)<<<1, 1>>>(p); table[k]<<<1, 1>>>(p); }",
        "struct S { void k(int*) {} };\nvoid f() {" + launch + "}",
        "void f() {" + launch + "}",
        "__global__ void __launch_bounds__(64) k(int*) {}\nvoid f() {" + launch + "}",
    });
}
