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
// The start of a launch whose call deduces which function `kernel` is, from these arguments.
std::string deduced(const std::string& kernel, const std::string& arguments = "(a)") {
    std::string signature = kernel;
    signature.insert(kernel.find("k"), "cusimSignature_");
    return prepare(kernel) + "decltype(" + signature + arguments + ")::of(" + kernel + "), ";
}
std::string byCall(const std::string& kernel) {
    return "::cusim::prepareDeduced(\"" + kernel +
           "\", ::cusim::Where{\"k.cu\", 1}, [](auto... cusimArguments) { " + kernel +
           "(cusimArguments...); }, ";
}
// What follows a kernel of such parameters.
std::string signature(const std::string& parameters) {
    return " ::cusim::Signature<void(" + parameters + ")> cusimSignature_k(" + parameters + ");";
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
    const std::string kernel = "__global__ void k();";
    check({
        {kernel + "int i = cudaFunc(a, (b), (void*)k);", kernel + "int i = cudaFunc(a, (b), k);"},
        {kernel + "int i = f(cudaFunc((const void *)&k));", kernel + "int i = f(cudaFunc(  &k));"},
        {kernel + "int i = cudaLaunchKernel(reinterpret_cast<const void*>(&k));",
         kernel + "int i = cudaLaunchKernel( (&k));"},
        {"void* i = cudaFunc((void*)pointer);", "void* i = cudaFunc(pointer);"},
        {kernel + "int i = own((void const*)k);", kernel + "int i = own(::cusim::known( k));"},
        {kernel + "void* t[] = {(void*)&n::k, 0};",
         kernel + "void* t[] = {::cusim::known(&n::k), 0};"},
        {kernel + "void* t = (void*)k<4, T>;", kernel + "void* t = ::cusim::known(k<4, T>);"},
        {kernel + "void* t = reinterpret_cast<void*>(k);", kernel + "void* t = ::cusim::known(k);"},
        {"void* p = (void*)q;", "void* p = (void*)q;"},
        {"cudaMemcpy((void*)p, q);", "cudaMemcpy((void*)p, q);"},
    });
}

TEST_CASE("A launch inside a macro becomes a call at the line that uses the macro") {
    const std::string where = "::cusim::Where{\"k.cu\", __LINE__}, ";
    check({
        {"#define L(f, n, ...) \\\n  f<<<n, 2>>>(__VA_ARGS__)",
         "#define L(f, n, ...) \\\n  ::cusim::prepare(#f, " + where + "f, n, 2)(__VA_ARGS__)"},
        {"#  define L (k<<<1, 2>>>(n), k<<<1, 2>>>(m))",
         "#  define L (::cusim::prepare(\"k\", " + where + "k, 1, 2)(n), ::cusim::prepare(\"k\", " +
             where + "k, 1, 2)(m))"},
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

TEST_CASE("A template whose arguments are not all given gets its types from the launch's") {
    // For each kernel: its head, the template's parameters and its own.
    struct Kernel {
        std::string text, head, parameters;
    };
    const Kernel one{"template <class T> __global__ void k(T* a);", "template<class T>", "T* a"};
    const Kernel two{"template <int N, class T> __global__ void k(T* a) { int x; }",
                     "template<int N, class T>", "T* a"};
    const Kernel bounds{
        "template <class T, class U = A<B<int>>> __launch_bounds__(256, 2) static __global__ void "
        "k(T*\n a);",
        "template<class T, class U = A<B<int>>>", "T*  a"};
    const Kernel later{"template <class T> __global__ void __launch_bounds__(64) k(T* a) {}",
                       "template<class T>", "T* a"};
    const Kernel nested{
        "template <class T = A<B<C<int>>>, class U> __global__ void k(U a /* = 3 */);",
        "template<class T = A<B<C<int>>>, class U>", "U a"};
    const auto checkLaunch = [](const Kernel& kernel, const std::string& launch,
                                const std::string& expected) {
        const std::string line = kernel.text.find('\n') == std::string::npos ? "1" : "2";
        std::string launched = expected + "1, 2)(a);";
        launched.replace(launched.find("\", 1}") + 3, 1, line);
        check({{kernel.text + launch + "<<<1, 2>>>(a);",
                kernel.text + kernel.head + signature(kernel.parameters) + launched}});
    };
    checkLaunch(one, "k", deduced("k"));
    checkLaunch(one, "k<float>", prepare("k<float>") + "k<float>, ");
    checkLaunch(one, "ns::k", deduced("ns::k"));
    checkLaunch(one, "k<>", deduced("k<>"));
    checkLaunch(two, "k<16>", deduced("k<16>"));
    checkLaunch(two, "k<16, A<int, 2>>", prepare("k<16,A<int,2>>") + "k<16, A<int, 2>>, ");
    checkLaunch(bounds, "k", deduced("k"));
    checkLaunch(later, "k", deduced("k"));
    checkLaunch(nested, "k<int>", deduced("k<int>"));
}

TEST_CASE("The call tells what the kernel is if its arguments cannot stand in the text twice") {
    const std::string kernel = "template <class T> __global__ void k(T a);";
    const std::string told = kernel + "template<class T>" + signature("T a");
    check({
        {kernel + "k<<<1, 2>>>([] { return 1; });",
         told + byCall("k") + "1, 2)([] { return 1; });"},
        {kernel + "k<<<1, 2>>>(a[1]);", told + deduced("k", "(a[1])") + "1, 2)(a[1]);"},
        {kernel + "using ns::k; k<<<1, 2>>>(a);",
         told + "using ns::k; " + byCall("k") + "1, 2)(a);"},
    });
}

TEST_CASE("An overloaded kernel, also a declared one, gets its types from the launch's") {
    check({
        {"__global__ void k(int* a) {} __global__ void k(float* b) {} k<<<1, 2>>>(a);",
         "__global__ void k(int* a) {}" + signature("int* a") + " __global__ void k(float* b) {}" +
             signature("float* b") + " " + deduced("k") + "1, 2)(a);"},
        {"__global__ void k(int); __global__ void k(int* a, int n = 3) {} k<<<1, 2>>>(a);",
         "__global__ void k(int);" + signature("int") + " __global__ void k(int* a, int n = 3) {}" +
             signature("int* a, int n") + " " + deduced("k", "(a, 3)") + "1, 2)(a, 3);"},
        {"__global__ void k(int*, int); __global__ void k(int* a, int n) {} k<<<1, 2>>>(a, n);",
         "__global__ void k(int*, int); __global__ void k(int* a, int n) {} " + prepare("k") +
             "k, 1, 2)(a, n);"},
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
        {"int x;\n#define CONFIGURED(n) \\\n  <<<n, 2>>>\n",
         "dir/k.cu:3: error: half a launch inside a macro is not supported on the simulated "
         "device; "
         "write all of kernel<<<grid, block>>>(arguments) in the macro, or none of it"},
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
