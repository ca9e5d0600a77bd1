// Tests the translation of what a preprocessor wrote: with headers, and with all macros expanded.
#include <algorithm>
#include <string>
#include <vector>

#include "refusal.h"

namespace {

// What stands after device code that names no type aligned to 16 bytes.
const std::string kLoose =
    "\n__asm__(\"\\t.set __tsan_read16, __tsan_unaligned_read16\\n\"\n"
    "        \"\\t.set __tsan_write16, __tsan_unaligned_write16\");\n";

std::string withoutLoose(const std::string& text) { return text.substr(0, text.find(kLoose)); }

// Returns the translation of the lines after these markers of a preprocessor.
std::string whole(const std::string& text) {
    const std::string result =
        withoutLoose(translate::translatePreprocessed(text, "k.cu", "/sim/include/"));
    INFO(result);
    CHECK(std::count(result.begin(), result.end(), '\n') ==
          std::count(text.begin(), text.end(), '\n'));
    return result;
}

std::string wholeRefusal(const std::string& text) {
    try {
        translate::translatePreprocessed(text, "k.cu", "/sim/include/");
        return "";
    } catch (const translate::TranslationError& error) {
        return error.what();
    }
}

std::string launched(const std::string& file, int line, const std::string& arguments) {
    return "::cusim::prepare(\"k\", ::cusim::Where{\"" + file + "\", " + std::to_string(line) +
           "}, k, " + arguments + ";";
}

}  // namespace

TEST_CASE("A launch has the file and line of the markers around it") {
    const std::string before = "# 1 \"/p/k.cu\"\n# 7 \"/p/run.h\" 1\n\n";
    CHECK(whole(before + "k<<<1, 2>>>(a);\n# 3 \"/p/k.cu\" 2\nk<<<1, 2>>>(a);\n") ==
          before + launched("/p/run.h", 8, "1, 2)(a)") + "\n# 3 \"/p/k.cu\" 2\n" +
              launched("/p/k.cu", 3, "1, 2)(a)") + "\n");
    CHECK(wholeRefusal(before + "k<<<1, 2;\n") ==
          "/p/run.h:8: error: the launch has no >>>; write kernel<<<grid, block>>>(arguments)");
}

TEST_CASE("A kernel of a header is known where it is launched") {
    const std::string header =
        "# 1 \"/p/k.h\" 1\ntemplate <class T> __global__ void k(T* a) {}\n# 2 \"/p/k.cu\" 2\n";
    CHECK(holds(whole(header + "k<<<1, 2>>>(a);\n"), "decltype(cusimSignature_k(a))::of(k)"));
}

TEST_CASE("Headers of the system and of the simulator stay as they are") {
    for (const std::string marker :
         {"# 1 \"/usr/include/x.h\" 1 3", "# 9 \"/usr/include/x.h\" 1 3 4",
          "# 1 \"/sim/include/cusim/x.h\" 1"}) {
        const std::string text = marker + "\nx<<<y;\n__shared__ int a = 1;\n# 2 \"/p/k.cu\" 2\n";
        CHECK(whole(text) == text);
        CHECK(wholeRefusal(text + "a<<<b;\n").substr(0, 11) == "/p/k.cu:2: ");
    }
}

TEST_CASE("A macro of the program's leaves a header of the system as it is") {
    const std::string text =
        "# 1 \"/usr/include/x.h\" 1 3\nclass A {\n# 2 \"/usr/include/x.h\"\n inline\n"
        "# 2 \"/usr/include/x.h\" 3\n int f(); };\n# 1 \"/p/k.cu\" 2\n";
    CHECK(whole(text) == text);
    CHECK(holds(whole(text + "__device__ int a;\n"), "cusimRegistered_a"));
}

TEST_CASE("A macro of the system's between two << makes no launch of them") {
    const std::string text =
        "# 1 \"/p/k.cu\"\nint main() { out << \n# 1 \"/p/k.cu\" 3\n 7 \n# 1 \"/p/k.cu\"\n << x; "
        "}\n";
    CHECK(whole(text) == text);
}

TEST_CASE("A cast to void** leaves an allocation its type, and stays elsewhere") {
    const std::string typed = "cudaMalloc(::cusim::detail::OfAnyType{} ->* ";
    CHECK(whole("cudaMalloc((void**)&t.rows, 8);") == typed + "&t.rows, 8);");
    CHECK(whole("cudaMalloc((void **) a + 1, 8);") == typed + "  a + 1, 8);");
    CHECK(whole("cudaMalloc(reinterpret_cast<void**>(&a), 8);") == typed + "(&a), 8);");
    for (const std::string other :
         {"cudaMalloc(&a, 8);", "take((void**)&a);", "cudaMalloc((b), 8);"})
        CHECK(whole(other) == other);
}

TEST_CASE("Device code can call std::min if nvcc's option allows it") {
    const std::string text = "# 1 \"k.cu\"\n__global__ void k(int* a) { *a = std::min(*a, 1); }\n";
    CHECK(holds(wholeRefusal(text), "std::min is a function for the host"));
    translate::relaxedConstexpr = true;
    CHECK(wholeRefusal(text).empty());
    translate::relaxedConstexpr = false;
}

TEST_CASE(
    "A device function has the body that __CUDA_ARCH__ chooses, and a host function its own") {
    const auto both = [](const std::string& forHost, const std::string& forDevice) {
        std::string warnings;
        const std::string start = "# 1 \"k.cu\"\nint a;\n";
        std::string text = translate::translateBothSides(start + forHost + "int z;\n",
                                                         start + forDevice + "int z;\n", "k.cu",
                                                         "/sim/include/", warnings);
        CHECK(text.substr(0, start.size()) == start);
        text.erase(0, start.size());
        for (std::size_t at; (at = text.find("\n#")) != std::string::npos;)  // markers
            text.erase(at, text.find('\n', at + 1) + 1 - at);
        return withoutLoose(text) + warnings;
    };
    const std::string end = "int z;\n", host = "{ h; }", device = "{ d { } }";
    for (const std::string head : {"__device__ int f() const ", "__global__ void f(int a) "})
        CHECK(both(head + host, head + device) == head + device + end);
    for (const std::string head : {"int f() ", "struct S { int f() { if (1) "}) {
        const std::string rest = head[0] == 's' ? "} };" : "";
        CHECK(both(head + host + rest, head + device + rest) == head + host + rest + end);
    }
    CHECK(both("__host__ __device__ int f() " + host, "__host__ __device__ int f() " + device) ==
          "__host__ __device__ int f() { if (!__builtin_is_constant_evaluated() && "
          "::cusim::inKernel()) " +
              device + " else " + host + "}" + end);
    const std::string f = "__device__ int f() { }", g = "int g() { }";
    CHECK(both(f, "") == std::string(4, ' ') + end);  // blanks stay
    CHECK(both("", f) == f + end);
    CHECK(both(g + "int b;", f) == g + "int b;" + f + end);
    CHECK(both("", "int b;" + f) ==
          f + end +
              "k.cu:2: warning: by __CUDA_ARCH__ this is for the device alone, and left out; "
              "put the #if into a function\n");
}

TEST_CASE("Sixteen bytes may be aligned to eight where no type is that asks for more") {
    const auto isLoose = [](const std::string& text) {
        return holds(translate::translatePreprocessed(text, "k.cu", "/sim/include/"), kLoose);
    };
    const std::string code = "__device__ int a;\n", aligned = "float4 b;\n";
    CHECK(isLoose(code));
    CHECK(isLoose("# 1 \"/sim/include/v.h\" 1\n" + aligned + "# 1 \"/p/k.cu\" 2\n" + code));
    CHECK_FALSE(isLoose(code + aligned));
    CHECK_FALSE(isLoose(code + "struct __attribute__((aligned(16))) A { double a, b; };\n"));
    CHECK_FALSE(isLoose("int a;\n"));
}

TEST_CASE("The signs of a launch may stand apart") {
    CHECK(whole("k<< <1, 2>> >(a);") == launched("k.cu", 1, " 1, 2) (a)"));
    CHECK(whole("k < < < 1, A<B<int> >::n > > >(a);") ==
          "::cusim::prepare(\"k\", ::cusim::Where{\"k.cu\", 1}, k ,    1, A<B<int> >::n )  (a);");
    const std::string output = "std::ostream& operator<< <T>(std::ostream&, T); int i = a >> 2;";
    CHECK(whole(output) == output);
}

TEST_CASE("A launch may leave arguments to the kernel's defaults") {
    const std::string kernel = "__global__ void k(float* a, A<int, 2> b = {1, 2}, int n = 5 * m); ";
    CHECK(whole(kernel + "k<<<1, 2>>>(a);") ==
          kernel + launched("k.cu", 1, "1, 2)(a, {1, 2}, 5 * m)"));
    CHECK(whole(kernel + "k<<<1, 2>>>(a, b);") ==
          kernel + launched("k.cu", 1, "1, 2)(a, b, 5 * m)"));
    CHECK(whole(kernel + "k<<<1, 2>>>(a, b, 3);") ==
          kernel + launched("k.cu", 1, "1, 2)(a, b, 3)"));
    const std::string nested = "__global__ void k(A<B<C<int>>> a, int n = 3); ";
    CHECK(whole(nested + "k<<<1, 2>>>(a);") == nested + launched("k.cu", 1, "1, 2)(a, 3)"));
}

TEST_CASE("A default argument that names a template's parameter is left to the call") {
    const std::string kernel = "template <int N> __global__ void k(float* a, int n = N) {} ";
    CHECK(holds(whole(kernel + "k<3><<<1, 2>>>(a);"), "{ k<3>(cusimArguments...); }, 1, 2)(a);"));
    CHECK(holds(whole(kernel + "k<3><<<1, 2>>>(a, 1);"), "::cusim::prepare(\"k<3>\""));
}

TEST_CASE("Variables of a template are registered by its name") {
    CHECK(whole("template <class T> __constant__ T c[4];") ==
          "template <class T> __constant__ T c[4]; static const ::cusim::VariablesOfTemplate "
          "cusimRegistered_c"
          "{\"c\", ::cusim::MemoryKind::ConstantVariable};");
    CHECK(holds(whole("template <class T = A<B<int>>> __constant__ T c[4];"), "OfTemplate"));
    CHECK_FALSE(holds(whole("template <> __constant__ int c<int>[4];"), "Registered"));
    CHECK(wholeRefusal("template <class T> __device__ T f(T a) { return a; }").empty());
}

TEST_CASE("Inline PTX is refused where it is compiled, and the host's assembly is not touched") {
    CHECK(whole("__device__ int f() { asm volatile(\"mov\" : \"=r\"(x)); }") ==
          "__device__ int f() { ::cusim::inlineAssembly()   ; }");
    const std::string host = "void f() { asm volatile(\"nop\"); }";
    CHECK(whole(host) == host);
    CHECK(holds(whole("struct S { __device__ void f() { asm(\"x\"); } };"), "inlineAssembly"));
}

TEST_CASE("A launch in device code and a texture reference are refused") {
    CHECK(wholeRefusal("# 3 \"/p/k.cu\"\n__global__ void p() { k<<<1, 2>>>(); }") ==
          "/p/k.cu:3: error: a kernel launches a kernel (dynamic parallelism), which is not "
          "supported "
          "on the simulated device; launch it from the host");
    CHECK(wholeRefusal("texture<float, 2> t;") ==
          "k.cu:1: error: a texture reference is not supported on the simulated device; read the "
          "array through a pointer");
    CHECK(wholeRefusal("int texture; bool b = texture < 2;").empty());
}
