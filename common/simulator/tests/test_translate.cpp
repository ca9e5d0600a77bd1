// Tests what launches become, and that all other text of a .cu file stays.
#include <algorithm>
#include <string>
#include <vector>

#include "refusal.h"

namespace {

std::string prepare(const std::string& kernel, int line = 1) {
    return "::cusim::prepare(\"" + kernel + "\", ::cusim::Where{\"k.cu\", " + std::to_string(line) +
           "}, ";
}
std::string deduced(const std::string& kernel, const std::string& before = "") {
    return before + "::cusim::prepareDeduced(\"" + kernel +
           "\", ::cusim::Where{\"k.cu\", 1}, [](auto... cusimArguments) { " + kernel +
           "(cusimArguments...); }, ";
}

// A text and what is made of it.
using Row = std::pair<std::string, std::string>;

void check(const std::vector<Row>& table) {
    for (const auto& [text, expected] : table) {
        INFO(text);
        CHECK(body(text) == expected);
    }
}

}  // namespace

TEST_CASE("the byte order mark of an editor on Windows is no part of the code") {
    CHECK(body("\xef\xbb\xbf"
               "int a;\r\n") == "int a;\r\n");
}

TEST_CASE("A kernel's address is passed with its type") {
    check({
        {"__global__ void k(); int i = cudaF(a, (b), (void*)k);",
         "__global__ void k(); int i = cudaF(a, (b), k);"},
        {"__global__ void k(); int i = f(cudaF((const void *)&k));",
         "__global__ void k(); int i = f(cudaF(  &k));"},
        {"__global__ void k(); int i = own((void*)k);",
         "__global__ void k(); int i = own((void*)k);"},
        {"void* p = (void*)q;", "void* p = (void*)q;"},
    });
}

TEST_CASE("A launch becomes a call whatever its number of config arguments") {
    check({
        {"k<<<1, 2>>>(a, b);", prepare("k") + "k, 1, 2)(a, b);"},
        {"k<<<1, 2, 3>>>();", prepare("k") + "k, 1, 2, 3)();"},
        {"k<<<g, b, n, stream>>>(x);", prepare("k") + "k, g, b, n, stream)(x);"},
        {"if (x) k <<< 1, 2 >>> (a);", "if (x) " + prepare("k") + "k ,  1, 2 ) (a);"},
    });
}

TEST_CASE("The kernel of a launch may be qualified, a template or an expression") {
    check({
        {"ns::k<<<1, 2>>>(a);", prepare("ns::k") + "ns::k, 1, 2)(a);"},
        {"a::b::k<<<1, 2>>>();", prepare("a::b::k") + "a::b::k, 1, 2)();"},
        {"return ::k<<<1, 2>>>();", "return " + prepare("::k") + "::k, 1, 2)();"},
        {"k<16><<<1, 2>>>(a);", prepare("k<16>") + "k<16>, 1, 2)(a);"},
        {"k<T, 4, unsigned int><<<1, 2>>>();",
         prepare("k<T,4,unsigned int>") + "k<T, 4, unsigned int>, 1, 2)();"},
        {"k<A<B<int>>><<<1, 2>>>();", prepare("k<A<B<int>>>") + "k<A<B<int>>>, 1, 2)();"},
        {"k<(N > 2)><<<1, 2>>>();", prepare("k<(N>2)>") + "k<(N > 2)>, 1, 2)();"},
        {"(*p)<<<1, 2>>>();", prepare("(*p)") + "(*p), 1, 2)();"},
        {"if (x) (*p)<<<1, 2>>>();", "if (x) " + prepare("(*p)") + "(*p), 1, 2)();"},
        {"table[i]<<<1, 2>>>();", prepare("table[i]") + "table[i], 1, 2)();"},
        {"pick(i)<<<1, 2>>>();", prepare("pick(i)") + "pick(i), 1, 2)();"},
        {"s.p->k<<<1, 2>>>();", prepare("s.p->k") + "s.p->k, 1, 2)();"},
        {"else k<<<1, 2>>>();", "else " + prepare("k") + "k, 1, 2)();"},
    });
}

TEST_CASE("A config may hold brackets, commas, templates and shifts") {
    check({
        {"k<<<dim3(f<int>(1, 2), 2), 3>>>();", prepare("k") + "k, dim3(f<int>(1, 2), 2), 3)();"},
        {"k<<<dim3{1, 2}, b[i, j], n >> 2>>>(p);",
         prepare("k") + "k, dim3{1, 2}, b[i, j], n >> 2)(p);"},
        {"k<<<(a < b), 1 << 4>>>();", prepare("k") + "k, (a < b), 1 << 4)();"},
        {"k<<<h(V<V<V<int>>>()), 1>>>();", prepare("k") + "k, h(V<V<V<int>>>()), 1)();"},
    });
}

TEST_CASE("Arguments are left to the compiler, launches in them included") {
    check({{"k<<<1, 2>>>(f(a, b), V<int, 3>{1, 2}, [](int i) { return i; });",
            prepare("k") + "k, 1, 2)(f(a, b), V<int, 3>{1, 2}, [](int i) { return i; });"}});
}

TEST_CASE("A template whose arguments are not all given is called with deduced types") {
    const std::string one = "template <class T> __global__ void k(T* a); ";
    const std::string two = "template <int N, class T> __global__ void k(T* a) {} ";
    const std::string bounds =
        "template <class T, class U = A<B<int>>> __launch_bounds__(256, 2) __global__ void k(T* "
        "a);";
    const std::string later = "template <class T> __global__ void __launch_bounds__(64) k(T* a) {}";
    const std::string nested = "template <class T = A<B<C<int>>>, class U> __global__ void k(U a);";
    const std::string own = "template <class T> static __global__ void k(T* a) {} ";
    check({
        {one + "k<<<1, 2>>>(a);", deduced("k", one) + "1, 2)(a);"},
        {one + "k<float><<<1, 2>>>(a);", one + prepare("k<float>") + "k<float>, 1, 2)(a);"},
        {one + "ns::k<<<1, 2>>>(a);", deduced("ns::k", one) + "1, 2)(a);"},
        {one + "k<><<<1, 2>>>(a);", deduced("k<>", one) + "1, 2)(a);"},
        {two + "k<16><<<1, 2>>>(a);", deduced("k<16>", two) + "1, 2)(a);"},
        {two + "k<16, A<int, 2>><<<1, 2>>>(a);",
         two + prepare("k<16,A<int,2>>") + "k<16, A<int, 2>>, 1, 2)(a);"},
        {bounds + "k<<<1, 2>>>(a);", deduced("k", bounds) + "1, 2)(a);"},
        {later + "k<<<1, 2>>>(a);", deduced("k", later) + "1, 2)(a);"},
        {own + "k<<<1, 2>>>(a);", deduced("k", own) + "1, 2)(a);"},
        {nested + "k<int><<<1, 2>>>(a);", deduced("k<int>", nested) + "1, 2)(a);"},
    });
}

TEST_CASE("An overloaded kernel is called with deduced types, a declared one is not") {
    const std::string overloads = "__global__ void k(int* a) {} __global__ void k(float* b) {} ";
    const std::string declared =
        "__global__ void k(int*, int); __global__ void k(int* a, int n = 3); "
        "__global__ void k(int a[], int W) {} ";
    check({
        {overloads + "k<<<1, 2>>>(a);", deduced("k", overloads) + "1, 2)(a);"},
        {declared + "k<<<1, 2>>>(a, n);", declared + prepare("k") + "k, 1, 2)(a, n);"},
    });
}

TEST_CASE("A launch over several lines keeps every token on its line") {
    const std::string text =
        "int a;\nns::\nk // <<< here\n  <<<dim3(1,\n2), /* >>> */\n3>>>\n(x,\ny); int last;\n";
    const std::string result = body(text);
    CHECK(holds(result, prepare("ns::k", 2) + "ns::\nk // <<< here\n"));
    CHECK(holds(result, "dim3(1,\n2), /* >>> */\n3)\n(x,\ny); int last;\n"));
}

TEST_CASE("An exchange whose result is not used only stores") {
    for (const std::string before : {"{ ", "f(); ", "if (a) ", "else ", "for (;;) { } "})
        CHECK(body("void g() { " + before + "atomicExch(p, f(1)); }") ==
              "void g() { " + before + "atomicSets(p, f(1)); }");
    for (const std::string text :
         {"a = atomicExch(p, 1);", "f(atomicExch(p, 1));", "return atomicExch(p, 1);",
          "atomicExch(p, 1) + 1;", "while (atomicExch(p, 1)) { }", "(void)atomicExch(p, 1);",
          "s.atomicExch(p, 1);", "V atomicExch(V*, V); atomicExch(p, 1);"})
        CHECK(body("void g() { " + text + " }") == "void g() { " + text + " }");
}

TEST_CASE("Text in which there is nothing to translate comes back unchanged") {
    for (const std::string text : {
             "",
             "int main() { return 0; }",
             "int x = a << b; int y = 1 >> 2; x <<= 3; y >>= n;",
             "std::vector<std::vector<std::vector<int>>> v;",
             "// k<<<1, 2>>>(a);\nint x;",
             "// carried on \\\nk<<<1, 2>>>(a);\nint x;",
             "// carried on \\\r\nk<<<1, 2>>>(a);\r\nint x;",
             "/* k<<<1, 2>>>(a);\n extern __shared__ float s[]; asm */",
             "const char* s = \"k<<<1, 2>>>(a) \\\" // \";",
             "const char* s = R\"x(k<<<1, 2>>>(a) \" )\" )x\"; const char* t = "
             "u8R\"(asm(\"<<<\"))\";",
             "char c = '\"'; char d = '<'; char e = '\\''; int f = '<<<';",
             "#pragma unroll k<<<1, 2>>>\n#error a launch <<< that isn't one\n",
             "#define PATTERN \"/*\"\n#define TEXT \"<<< extern __shared__\" // <<<\nint x;",
             "#define TILE 16\n#define AT(i, j) a[(i) << 2][j]\n",
             "#define TWO_LINES \\\n  a \\\r\n  b\r\n",
             "#if 0\nit isn't code\n#endif\nint x;",
             "int million = 1'000'000; char c = 'a'; float f = 0x1'0p-3f;",
             "line();\r\n\tother();\r\n",
             "std::ostream& operator<<<int>(std::ostream&, A);",
             "struct S { __device__ S(); __device__ int operator()(int) const; __device__ ~S(); };",
             "__shared__ float a[N == 3 ? 1 : 2][4];",
             "__attribute__((__noinline__)) int f();",
             "unterminated(\"",
         }) {
        INFO(text);
        CHECK(body(text) == text);
    }
}

TEST_CASE("After comments, strings and directives the next launch is found") {
    for (const std::string before :
         {"// comment\n", "/* <<< */ ", "const char* s = \"<<<\"; ", "char q = '\"'; ",
          "const char* r = R\"(\")\"; ", "#define P \"/*\"\n", "#include <a>\r\n",
          "int m = 1'000; ", "#if 0\nisn't\n#endif\n", "int x = 1 // '\n; "}) {
        INFO(before);
        const int line = 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n'));
        CHECK(body(before + "k<<<1, 2>>>();") == before + prepare("k", line) + "k, 1, 2)();");
    }
}

TEST_CASE("Messages show the file's name as it was given, quotes escaped") {
    const std::string result = translate::translate("k<<<1, 2>>>();", "a \"b\"\\c.cu");
    CHECK(holds(result, "#line 1 \"a \\\"b\\\"\\\\c.cu\"\n"));
    CHECK(holds(result, "Where{\"a \\\"b\\\"\\\\c.cu\", 1}"));
}

TEST_CASE("What cannot be translated is refused with file, line, cause and remedy") {
    const std::string launchForm = "; write kernel<<<grid, block>>>(arguments)";
    const std::vector<Row> table = {
        {"\nk<<<1, 2;\n", "dir/k.cu:2: error: the launch has no >>>" + launchForm},
        {"\n\nk<<<1, 2>>", "dir/k.cu:3: error: the launch has no >>>" + launchForm},
        {"k<<<1, 2>>>;",
         "dir/k.cu:1: error: the launch has no arguments in parentheses" + launchForm},
        {"; <<<1, 2>>>(a);",
         "dir/k.cu:1: error: a launch <<<...>>> without a kernel's name before it" + launchForm},
        {"\"k\"<<<1, 2>>>(a);",
         "dir/k.cu:1: error: a launch <<<...>>> without a kernel's name before it" + launchForm},
        {"int x;\n#define LAUNCH(n) \\\n  k<<<n, 2>>>()\n",
         "dir/k.cu:3: error: a launch inside a macro is not supported on the simulated device; "
         "write the launch where the macro is used"},
        {"\r\n#  define S(T) extern __shared__ T s[]\r\n",
         "dir/k.cu:2: error: extern __shared__ inside a macro is not supported on the simulated "
         "device; declare the array where the macro is used"},
        {"void f() {\n  asm volatile(\"mov;\");\n}",
         "dir/k.cu:2: error: inline PTX (asm) is not supported on the simulated device; write it "
         "in C++, or run on a card with DEVICE=gpu"},
        {"#define MOV __asm__(\"mov;\")",
         "dir/k.cu:1: error: inline PTX (asm) is not supported on the simulated device; write it "
         "in C++, or run on a card with DEVICE=gpu"},
    };
    for (const auto& [text, message] : table) {
        INFO(text);
        CHECK(refusal(text, "dir/k.cu") == message);
    }
}
