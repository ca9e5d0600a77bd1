// Tests what shared arrays and device and constant variables become.
#include <string>
#include <vector>

#include "refusal.h"

namespace {

// Removes blanks, which mean nothing here and depend on which tokens were cleared.
std::string squeezed(const std::string& text) {
    std::string out;
    for (const char c : text) {
        const bool blank = c == ' ' || c == '\n';
        if (!blank)
            out += c;
        else if (!out.empty() && out.back() != ' ')
            out += ' ';
    }
    return out;
}

std::string inKernel(const std::string& declaration) {
    const std::string text = squeezed(body("__global__ void k() { " + declaration + " }"));
    const std::string start = "__global__ void k() { ";
    REQUIRE(text.substr(0, start.size()) == start);
    return text.substr(start.size(), text.size() - start.size() - 2);
}

std::string pointer(const std::string& type, const std::string& name) {
    return type + " *" + name + " = (" + type + " *)::cusim::dynamicShared<decltype(*" + name +
           ")>(\"" + name + "\");";
}

// Returns the variables that the text registers, with the kind of each.
std::vector<std::string> registered(const std::string& text) {
    std::vector<std::string> names;
    for (const std::string& one :
         allBetween(body(text), "VariableRegistration cusimRegistered_", "};"))
        names.push_back(one.substr(0, one.find('{')) + ":" + one.substr(one.rfind(':') + 1));
    return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("A dynamic shared array becomes a pointer, in every way of writing it") {
    CHECK(inKernel("extern __shared__ float s[];") == pointer("float", "s"));
    CHECK(inKernel("__shared__ extern float s[];") == pointer("float", "s"));
    CHECK(inKernel("extern __shared__ __align__(16) unsigned char s[];") ==
          pointer("unsigned char", "s"));
    CHECK(inKernel("extern __shared__ alignas(alignof(double2)) char s[];") ==
          pointer("char", "s"));
    CHECK(inKernel("extern __shared__ char __attribute__((aligned(8))) s[];") ==
          pointer("char", "s"));
    CHECK(inKernel("extern __align__(16) __shared__ float s[];") == pointer("float", "s"));
    CHECK(inKernel("alignas(16) extern __shared__ float s[];") == pointer("float", "s"));
    for (const std::string order : {"double extern __shared__", "extern double __shared__"})
        CHECK(inKernel(order + " s[];") == pointer("double", "s"));
    CHECK(inKernel("extern volatile __shared__ float s[];") == pointer("volatile float", "s"));
    CHECK(inKernel("extern __shared__ volatile float s[];") == pointer("volatile float", "s"));
    CHECK(inKernel("extern __device__ __shared__ float s[];") == pointer("float", "s"));
    CHECK(inKernel("extern __shared__ ns::T<int> s[];") == pointer("ns :: T < int >", "s"));
    CHECK(inKernel("extern\n__shared__\nfloat s\n[\n]\n;") ==
          "float *s = (float *)"
          "::cusim::dynamicShared<decltype(*s)>(\"s\") ;");
}

TEST_CASE("A dynamic shared array of rows becomes a pointer to rows") {
    CHECK(inKernel("extern __shared__ float s[][16];") ==
          "float (*s)[16] = (float (*)[16])::cusim::dynamicShared<decltype(*s)>(\"s\");");
    CHECK(inKernel("extern __shared__ int s[][4][N + 1];") ==
          "int (*s)[4][N+1] = (int (*)[4][N+1])::cusim::dynamicShared<decltype(*s)>(\"s\") ;");
}

TEST_CASE("A dynamic shared array outside functions is declared under the simulator's name") {
    CHECK(squeezed(body("extern __shared__ float s[];")) ==
          "extern __thread float s[] __asm__(\"cusimDynamicShared\");");
    CHECK(squeezed(body("namespace {\nextern __shared__ float4 s[][2];\n}")) ==
          "namespace { extern __thread float4 s[][2] __asm__(\"cusimDynamicShared\"); }");
}

TEST_CASE("A static shared array is left to the keyword's macro") {
    for (const std::string text : {"volatile __shared__ int n;", "__shared__ float a, b;"})
        CHECK(inKernel(text) == text);
}

// The macro says `static` itself, and C++ accepts alignas in front only.
TEST_CASE("The keyword's macro meets no second static and no alignas after it") {
    CHECK(inKernel("static __shared__ int n;") == "__shared__ int n;");
    CHECK(inKernel("__shared__ static int n;") == "__shared__ int n;");
    CHECK(inKernel("__shared__ alignas(8) int n;") == "alignas(8)__shared__ int n;");
    CHECK(inKernel("volatile __shared__ alignas(f(8)) alignas(T) int n, m;") ==
          "alignas(f(8))alignas(T)volatile __shared__ int n, m;");
    for (const std::string text :
         {"alignas(8) __shared__ int n;", "__shared__ struct alignas(8) P { int a; } *p;"})
        CHECK(inKernel(text) == text);
    CHECK(squeezed(body("static __shared__ int n;")) == "__shared__ int n;");
}

TEST_CASE("The shape of each static shared array is reported after its declaration") {
    CHECK(inKernel("__shared__ float s[16][17];") ==
          "__shared__ float s[16][17]; ::cusim::noteSharedArray(s);");
    CHECK(inKernel("__shared__ float a[4], b[n[1]][f(2)], *p;") ==
          "__shared__ float a[4], b[n[1]][f(2)], *p; ::cusim::noteSharedArray(a); "
          "::cusim::noteSharedArray(b);");
    const std::string ofUnion =
        inKernel("__shared__ union alignas(16) { float f[4]; int n[4]; } u, v[2];");
    CHECK(ofUnion.find("noteSharedArray(f)") == std::string::npos);
    CHECK(ofUnion.find("v[2]; ::cusim::noteSharedVariable(u); ::cusim::noteSharedArray(v);") !=
          std::string::npos);
    CHECK(inKernel("__shared__ ns::T<A, 4> one, *at, many[4];") ==
          "__shared__ ns::T<A, 4> one, *at, many[4]; ::cusim::noteSharedVariable(one); "
          "::cusim::noteSharedArray(many);");
    CHECK(inKernel("__shared__ A<B<C<int>>> many[4];") ==
          "__shared__ A<B<C<int>>> many[4]; ::cusim::noteSharedArray(many);");
    CHECK(inKernel("__shared__ struct { int a; float b; } pair;") ==
          "__shared__ struct { int a; float b; } pair; ::cusim::noteSharedVariable(pair);");
    CHECK(inKernel("extern __shared__ float s[];").find("noteSharedArray") == std::string::npos);
}

TEST_CASE("A shared variable with an initial value is refused") {
    checkRefused(
        "k.cu:2: error: a __shared__ variable cannot have an initial value; assign it in the "
        "kernel, by one thread, before a __syncthreads()",
        "{\n__shared__ ", {"int n = 0;", "float s[2] = {1, 2};", "int n{0};"}, " }");
}

TEST_CASE("An extern shared variable of known size is refused") {
    checkRefused(
        "k.cu:1: error: extern __shared__ takes an array without a size; write extern __shared__ "
        "float name[]; and pass its bytes at the launch",
        "{ extern __shared__ ", {"float s[16];", "float s;", "float* s;"}, " }");
}

TEST_CASE("Several dynamic shared arrays in one declaration are refused") {
    CHECK(refusal("{ extern __shared__ float s[], t[]; }") ==
          "k.cu:1: error: one declaration of several extern __shared__ arrays; declare one; all of "
          "them would start at the same address");
}

TEST_CASE("Each device variable is made known after its declaration") {
    CHECK(body("__device__ int x;") ==
          "__device__ int x; static const ::cusim::VariableRegistration cusimRegistered_x{x, "
          "\"x\", ::cusim::MemoryKind::DeviceVariable};");
    CHECK(registered("__constant__ float M[5 * 5];") == Names{"M:ConstantVariable"});
    CHECK(registered("__managed__ int m;") == Names{"m:ManagedVariable"});
    CHECK(registered("__device__ __managed__ int m;") == Names{"m:ManagedVariable"});
    CHECK(registered("__device__ __constant__ int c;") == Names{"c:ConstantVariable"});
    CHECK(registered("__constant__ __device__ int c;") == Names{"c:ConstantVariable"});
}

TEST_CASE("Device variables are found with several declarators, sizes and initial values") {
    const std::string kind = ":DeviceVariable";
    CHECK(registered("__device__ int a, *b, c[2][3], d = f(1, 2), e{7};") ==
          Names{"a" + kind, "b" + kind, "c" + kind, "d" + kind, "e" + kind});
    CHECK(registered("__device__ float t[4] = {1, g(2), {3}};") == Names{"t" + kind});
    CHECK(registered("__device__ V<int, 3> v;") == Names{"v" + kind});
    CHECK(registered("static __device__ unsigned int n;") == Names{"n" + kind});
    CHECK(registered("__device__ static int n;") == Names{"n" + kind});
    CHECK(registered("__device__ const float pi = 3.14f;") == Names{"pi" + kind});
    CHECK(registered("__device__ __align__(16) float4 v;") == Names{"v" + kind});
    CHECK(registered("__device__ alignas(16) float v[4];") == Names{"v" + kind});
    CHECK(registered("__device__ struct P p;") == Names{"p" + kind});
    CHECK(registered("__device__ struct P { int a; } p, q;") == Names{"p" + kind, "q" + kind});
    CHECK(registered("__device__ int n(5), m(-1), o;") ==
          Names{"n" + kind, "m" + kind, "o" + kind});
    CHECK(registered("__device__ float (*f)(float) = g;") == Names{"f" + kind});
    CHECK(registered("__device__ float (*const f[2])(float, int) = {g, h}, (*rows)[4];") ==
          Names{"f" + kind, "rows" + kind});
    CHECK(registered("inline __device__ int n = 3;") == Names{"n" + kind});
    CHECK(registered("__device__ decltype(1.0f) n;") == Names{"n" + kind});
    CHECK(registered("__device__\nint\nx\n=\n3\n;\n__device__ int y;") ==
          Names{"x" + kind, "y" + kind});
}

TEST_CASE("Device variables are found in namespaces and after functions") {
    for (const std::string open :
         {"namespace {", "namespace a {", "namespace a::b {", "inline namespace v1 {",
          "extern \"C\" {", "namespace a { int f() { if (1) { } return 0; }"}) {
        INFO(open);
        CHECK(registered(open + " __device__ int x; }") == Names{"x:DeviceVariable"});
    }
    CHECK(registered("void f() { } struct S { int a; }; __device__ int x;") ==
          Names{"x:DeviceVariable"});
}

TEST_CASE("A variable that is defined elsewhere is not made known twice") {
    CHECK(registered("extern __device__ int x;").empty());
    CHECK(registered("extern __constant__ float M[];").empty());
    CHECK(registered("__device__ extern int x;").empty());
}

TEST_CASE("Device functions are no variables") {
    for (const std::string text :
         {"__device__ int f();", "__device__ float f(float x = 1.0f, int y = 2) { return x; }",
          "template <class T, int N = 3> __device__ T f(T a) { int x = 2; return a; }",
          "__host__ __device__ int f(int a) { return a; }", "__device__ __host__ int f(int a);",
          "static __device__ inline V<int, 2> f(int a);", "__forceinline__ __device__ int* f();",
          "inline __device__ int f(int a) { return a; }", "__device__ int (*f(int a))(float);",
          "__device__ V operator+(V a, V b) { return a; }", "__device__ S::S() : a(1) {}",
          "struct S { __device__ S() { } __device__ S(int a = 3); __device__ int n() { return 1; }"
          " __device__ S& operator=(const S&); };",
          "class C { public: __device__ int x() const; };",
          "void f() { auto g = [] __device__(int i) { return i; }; }"}) {
        INFO(text);
        CHECK(registered(text).empty());
    }
}

TEST_CASE("The keyword for functions that are not inlined becomes its attribute") {
    CHECK(body("__noinline__ __device__ int f();") ==
          "__attribute__((noinline)) __device__ int f();");
}

TEST_CASE("Only a cast in device code to a type of the file is reported") {
    const std::string start = "typedef struct { int n; } N; template <class T> __device__ int f(",
                      head = start + "char* p) { return ", end = "; }";
    const auto told = [&](const std::string& before, const std::string& cast,
                          const std::string& behind) {
        CHECK(body(head + before + cast + behind + end) ==
              head + before + "::cusim::takenAs(" + cast + ")" + behind + end);
    };
    told("*", "(N*)p", "");
    told("", "(const N*)(void*)&p[8]", " + 1");
    told("((", "(T*)s.p", ")[1].n)");
    told("g(", "(ns::N*)ns::g(p)->at", ", 1)");
    told("", "reinterpret_cast<A<B<C<N>>>*>(p)", "[2]");
    told("", "static_cast<T*>(p)", "->n");
    for (const std::string& text : {
             head + "*(float4*)p" + end,
             head + "(N*)p++" + end,
             head + "(N*)g<int>(p)" + end,
             head + "(N*)0" + end,
             head + "sizeof(N*) * *p" + end,
             start + "N*) { return [](N*) { return 1; }(p); }",
             std::string("struct N { int n; }; int f(char* p) { return *(N*)p; }"),
         })
        CHECK_FALSE(holds(body(text), "takenAs"));
}

TEST_CASE("Host code that names a device variable gets the host's copy of it") {
    const std::string declared =
        "__device__ int x; __constant__ float m[4]; __constant__ const int n = 2;\n";
    const auto copied = [&](const std::string& text) {
        const std::string all = body(declared + text);
        return allBetween(all.substr(all.rfind('\n')), "cusimRegistered_", ".onHost()");
    };
    for (const char* const text :
         {"void f() { int* p = &x; }", "void f() { S s = {1, &x}; }", "int* p = &x;",
          "void f() { g(sizeof(x), sizeof *x, 2, &x); }", "std::set<int*> f() { return {&x}; }"})
        CHECK(copied(text) == Names{"x"});
    CHECK(copied("void f() { float* p = m; S s = {2, m}; }") == Names{"m", "m"});
    for (const char* const text :
         {"__global__ void k() { x = 1; }", "__device__ int* p = &x;", "void f() { g(n); }",
          "void f() { cudaMemcpyToSymbol(m, p, 4); cudaMemcpyFromSymbol(p, x, 4); }",
          "void f() { cudaGetSymbolAddress(&p, x); k<&x>(); }", "void f(int x) { g(x); }",
          "struct S { int x; int* f() { return &x; } };", "void f() { int a, x; g(x); }",
          "void f() { auto g = [] __device__ { x = 1; }; }"})
        CHECK(body(declared + text).find(".onHost()") == std::string::npos);
}
