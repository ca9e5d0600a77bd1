// Tests reports of an index after an array's end, of an array passed twice, and of wrong pointers.
#include <cstdlib>
#include <string>
#include <vector>

#include "chosen_options.h"
#include "on_device.h"
#include "simulator/simulator.h"
#include "testing/catch.h"

#ifndef WIDTH
#define WIDTH 4
#endif

namespace {

using Kernel = void (*)(const float* M, float* P, int n);

// NOLINTBEGIN(readability-identifier-naming): the names are a student's.
__global__ void rightIndex(const float* M, float* P, int n) {
    int Row = blockIdx.y * WIDTH + threadIdx.y;
    int Col = blockIdx.x * WIDTH + threadIdx.x;
    P[Row * n + Col] = M[Row * n + Col];
}
__global__ void columnOfThread(const float* M, float* P, int n) {
    int bx = threadIdx.x, by = blockIdx.y;
    int Row = by * WIDTH + threadIdx.y;
    int Col = bx * WIDTH + threadIdx.x;
    P[Row * n + Col] = M[Row * n + Col];
}
__global__ void tooMuch(const float* M, float* P, int n) {
    int Row = blockIdx.y * WIDTH + threadIdx.y;
    int Col = blockIdx.x * WIDTH + threadIdx.x;
    P[Row * n + Col] = M[Row * n + 2 * n + Col];
}
__global__ void setTwice(const float* M, float* P, int n) {
    int Row = blockIdx.y * WIDTH + threadIdx.y;
    int Col = threadIdx.x * WIDTH + threadIdx.x;
    if (n > 1000) Col = 0;
    P[Row * n + Col] = M[Row * n + Col];
}
__global__ void counted(const float* M, float* P, int n) {
    int Row = blockIdx.y * WIDTH + threadIdx.y, Col = blockIdx.x * WIDTH + threadIdx.x;
    for (int k = 0; k < 2; Col += n * n) P[Row * n + Col] = M[Row * n + Col];
}
__global__ void belowZero(const float* M, float* P, int n) {
    int Row = blockIdx.y * WIDTH - threadIdx.y;
    P[0] = M[Row * n];
}
__global__ void transposing(const float* M, float* P, int n) {
    int Row = blockIdx.y * WIDTH + threadIdx.y;
    int Col = blockIdx.x * WIDTH + threadIdx.x;
    P[Row * n + Col] = M[(n - 1 - Col) * n + n - 1 - Row];
}
__global__ void countsDown(const float* M, float* P, int n) {
    for (int i = n - 1; i >= -1; --i) P[i] = M[i];
}
__global__ void inAChar(const float* M, float* P, int n) {
    for (char i = 0; i < n; ++i) P[0] += M[i + 0];
}
__global__ void sharedTooFar(const float* M, float* P, int n) {
    __shared__ float tile[WIDTH];
    for (int i = 0; i <= n; ++i) tile[i] = M[0];
    P[0] = tile[0];
}
__global__ void sharedTooSmall(const float* M, float* P, int) {
    extern __shared__ float half[];
    half[threadIdx.y * WIDTH + threadIdx.x] = M[0];
    P[0] = half[0];
}
__global__ void firstElement(const float*, float* P, int n) {
    float norm = P[0];
    P[blockIdx.x * WIDTH + threadIdx.x] = norm / n;
}
__global__ void unsetIndex(const int* indices, float* P) { P[indices[0] + 1] = 0; }
__global__ void unsetIndexOfTile(const float* M, float* P, int) {
    __shared__ int indices[WIDTH];
    __shared__ float tile[WIDTH];
    tile[threadIdx.x] = M[0];
    P[0] = tile[indices[0]];
}
__global__ void movesPointer(const float* M, float* P, int n) {
    int Row = blockIdx.y * WIDTH + threadIdx.y, Col = blockIdx.x * WIDTH + threadIdx.x;
    for (int ph = 0; ph < 2; ++ph) {
        P[Row * n + Col] = M[Row * n + Col + ph * n];
        M += n * WIDTH;
    }
}
__global__ void rowsOfWholeBlocks(const float* M, float* P, int n) {
    int Row = blockIdx.y * WIDTH + threadIdx.y, Col = blockIdx.x * WIDTH + threadIdx.x;
    if (Row < n && Col < n) P[0] = M[Row * 2 * WIDTH + Col];
}
__global__ void rowsOfNoLength(float* P, int n) {
    int Row = threadIdx.y, Col = threadIdx.x + 16;
    P[Row * n + Col] = 1;
}
// NOLINTEND(readability-identifier-naming)

struct StudentNames {
    StudentNames() { cusim::nameIndices("Row", "Col"); }
    ~StudentNames() { cusim::nameIndices("row", "column"); }
    StudentNames(const StudentNames&) = delete;
    StudentNames& operator=(const StudentNames&) = delete;
};

cusim::Finding firstFinding() {
    return cusim::findings().empty() ? cusim::Finding{} : cusim::findings().front();
}

// Launches 2 x 2 blocks of 4 x 4 threads on matrices of n x n floats.
cusim::Finding findingOf(Kernel kernel, int n = 8, int shared = 0, int floatsOfM = 0) {
    cusim::reset();
    const auto all = static_cast<std::size_t>(n * n);
    const std::vector<float> zeros(all);
    const std::size_t ofM = floatsOfM ? static_cast<std::size_t>(floatsOfM) : all;
    cusim::describeHostMemory(zeros.data(), all * sizeof(float));
    float *d_M, *d_P;
    cudaMalloc(&d_M, ofM * sizeof(float));
    cudaMalloc(&d_P, all * sizeof(float));
    cudaMemset(d_P, 0, all * sizeof(float));
    cudaMemcpy(d_M, zeros.data(), ofM * sizeof(float), cudaMemcpyHostToDevice);
    kernel<<<dim3(2, 2), dim3(WIDTH, WIDTH), shared>>>(d_M, d_P, n);
    cusim::forgetHostMemory();
    return firstFinding();
}

void checkRemedy(const cusim::Finding& finding, const std::string& part) {
    INFO(cusim::text(finding));
    CHECK(holds(finding.remedy, part));
}

}  // namespace

DEVICE_TEST("A column that is not the thread's number is reported with its value and its line") {
    const StudentNames names;
    const cusim::Finding finding = findingOf(columnOfThread);
    checkRemedy(finding, "Col is 10 in this thread, whose number in the whole grid is 2 in x");
    CHECK(holds(finding.remedy, "see line 28, where Col gets its value"));
    CHECK_FALSE(holds(cusim::text(finding), "this would be"));
    cusim::describeMatrix(nullptr, 8, 8);
    checkRemedy(findingOf(columnOfThread), "Col is 10 in this thread");
    CHECK_FALSE(holds(cusim::text(firstFinding()), "this would be"));
    cusim::forgetMatrices();
}

DEVICE_TEST("Where row and column are right, no guard is advised to a grid of one thread each") {
    const StudentNames names;
    CHECK(findingOf(rightIndex).kind.empty());
    checkRemedy(findingOf(tooMuch), "in this thread, which is inside: check the rest");
    CHECK_FALSE(holds(firstFinding().remedy, "uard"));
    // The column has two values, and the source shows neither.
    checkRemedy(findingOf(setTwice), "If Row and Col are inside in this thread");
    CHECK_FALSE(holds(firstFinding().remedy, "Guard the access"));
    // More threads than elements.
    checkRemedy(findingOf(rightIndex, 7), "Guard the access (if (Row < ... && Col < ...))");
    checkRemedy(findingOf(counted),
                "Col changes in line 44: check that this is the variable you mean.");
}

DEVICE_TEST("A pointer that the kernel moves, or that the launch passes moved, is named") {
    const StudentNames names;
    checkRemedy(
        findingOf(movesPointer),
        "Line 86 moves M, and the index counts from there. Is the same offset added twice?");
    for (const int moved : {60, 64}) {
        cusim::reset();
        float *d_M, *d_P;
        cudaMalloc(&d_M, 64 * sizeof(float));
        cudaMalloc(&d_P, 64 * sizeof(float));
        cudaMemset(d_M, 0, 64 * sizeof(float));
        rightIndex<<<dim3(2, 2), dim3(WIDTH, WIDTH)>>>(d_M + moved, d_P, 8);
        checkRemedy(firstFinding(), "passes d_M + " + std::to_string(moved) +
                                        " as M, and the index counts from there");
    }
}

DEVICE_TEST("A host pointer is reported with the launch that passes it") {
    cusim::reset();
    std::vector<float> host(64);
    rightIndex<<<dim3(2, 2), dim3(WIDTH, WIDTH)>>>(nullptr, host.data(), 8);
    CHECK(firstFinding().kind == "null-pointer");
    cusim::reset();
    float* d_M;
    cudaMalloc(&d_M, 64 * sizeof(float));
    cudaMemset(d_M, 0, 64 * sizeof(float));
    rightIndex<<<dim3(2, 2), dim3(WIDTH, WIDTH)>>>(d_M, host.data(), 8);
    CHECK(firstFinding().kind == "host-pointer");
    CHECK(holds(firstFinding().details.back(), " passes this pointer as P: it is a host pointer"));
}

DEVICE_TEST("A length of rows that is rounded up to whole blocks is named") {
    const StudentNames names;
    cusim::describeMatrix(nullptr, 7, 7);
    checkRemedy(findingOf(rowsOfWholeBlocks, 7), "has 7 elements, but this index fits rows of 8");
    float *d_M, *d_P;
    cusim::reset();
    cudaMalloc(&d_M, 49 * sizeof(float));
    cudaMalloc(&d_P, 64 * sizeof(float));
    cudaMemset(d_M, 0, 49 * sizeof(float));
    rightIndex<<<dim3(2, 2), dim3(WIDTH, WIDTH)>>>(d_M, d_P, 8);
    checkRemedy(firstFinding(), "passes 8 as n, but no matrix has more than 7 rows or 7 columns");
    cusim::forgetMatrices();
}

DEVICE_TEST("A number of the launch that is larger than all matrices is reported") {
    const StudentNames names;
    cusim::reset();
    const std::vector<float> zeros(16);
    cusim::describeMatrix(zeros.data(), 4, 4);
    float *d_M, *d_P;
    cudaMalloc(&d_M, 16 * sizeof(float));
    cudaMalloc(&d_P, 16 * sizeof(float));
    cudaMemcpy(d_M, zeros.data(), 16 * sizeof(float), cudaMemcpyHostToDevice);
    rightIndex<<<1, dim3(WIDTH, WIDTH)>>>(d_M, d_P, 5);
    checkRemedy(firstFinding(), "passes 5 as n, but no matrix has more than 4 rows or 4 columns");
}

DEVICE_TEST(
    "An array smaller than the matrix that was copied into it is reported with both sizes") {
    checkRemedy(findingOf(transposing, 8, 0, 12),
                "d_M holds 12 elements, but the host memory that fills it has 64");
    CHECK(findingOf(transposing, 8).kind.empty());
    // Whole rows may be a band, unless the grid covers the matrix.
    for (const int rows : {1, 2}) {
        cusim::reset();
        const std::vector<float> zeros(64);
        cusim::describeMatrix(zeros.data(), 8, 8);
        cusim::describeHostMemory(zeros.data(), 64 * sizeof(float));
        float *d_M, *d_P;
        cudaMalloc(&d_M, 32 * sizeof(float));
        cudaMalloc(&d_P, 64 * sizeof(float));
        cudaMemcpy(d_M, zeros.data(), 32 * sizeof(float), cudaMemcpyHostToDevice);
        transposing<<<dim3(2, rows), dim3(WIDTH, WIDTH)>>>(d_M, d_P, 8);
        cusim::forgetHostMemory();
        INFO(cusim::text(firstFinding()));
        CHECK(holds(firstFinding().remedy, "d_M holds 32 elements, but its matrix") == (rows == 2));
        cusim::forgetMatrices();
    }
}

DEVICE_TEST("A negative index names the loop or the variable that is below 0, or too narrow") {
    checkRemedy(findingOf(countsDown), "The loop of line 56 counts down.");
    checkRemedy(findingOf(belowZero), "Row is -1 in this thread: check line 47, where Row gets");
    CHECK(firstFinding().causedAt == 47);
    checkRemedy(findingOf(inAChar, 200),
                "The variable of line 59 has a small type: a char ends at 127");
}

DEVICE_TEST("An index past a shared array is reported with the block, and the loops around it") {
    const cusim::Finding loop = findingOf(sharedTooFar, WIDTH);
    INFO(cusim::text(loop));
    CHECK(loop.kind == "out-of-bounds");
    const cusim::Finding block = findingOf(sharedTooSmall, 8, 8 * sizeof(float));
    checkRemedy(block, "or the launch's block");
    CHECK(holds(cusim::text(block), "the block has 4 x 4 threads"));
}

DEVICE_TEST("An index that nothing has written is reported as one") {
    cusim::reset();
    int* indices;
    float* d_P;
    cudaMalloc(&indices, sizeof(int));
    cudaMalloc(&d_P, sizeof(float));
    unsetIndex<<<1, 1>>>(indices, d_P);
    CHECK(firstFinding().kind == "out-of-bounds");
    checkRemedy(firstFinding(), "computed from uninitialized memory");
    checkRemedy(findingOf(unsetIndexOfTile), "computed from uninitialized memory");
}

DEVICE_TEST("The report says that a launch passes one array twice and leaves one out") {
    cusim::reset();
    float *d_M, *d_P;
    cudaMalloc(&d_M, 16 * sizeof(float));
    cudaMalloc(&d_P, 64 * sizeof(float));
    cudaMemset(d_M, 0, 16 * sizeof(float));
    rightIndex<<<dim3(2, 2), dim3(WIDTH, WIDTH)>>>(d_M, d_M, 8);
    const std::string text = cusim::text(firstFinding());
    INFO(text);
    CHECK(holds(firstFinding().details.back(), "passes d_M twice, and d_P not at all"));
    CHECK((holds(text, "P is d_M too") && holds(text, "Pass d_P as the kernel's P")));
}

DEVICE_TEST("The report of a race on an array that was passed for another one names the launch") {
    cusim::reset();
    float *d_M, *d_P;
    cudaMalloc(&d_M, 64 * sizeof(float));
    cudaMalloc(&d_P, 64 * sizeof(float));
    cudaMemset(d_M, 0, 64 * sizeof(float));
    transposing<<<dim3(2, 2), dim3(WIDTH, WIDTH)>>>(d_M, d_M, 8);
    REQUIRE(firstFinding().kind == "race");
    checkRemedy(firstFinding(), "Pass d_P as the kernel's P");
}

DEVICE_TEST("A race of two lines within a block and across blocks asks for no barrier") {
    cusim::reset();
    float* d_P;
    cudaMalloc(&d_P, 64 * sizeof(float));
    cudaMemset(d_P, 0, 64 * sizeof(float));
    firstElement<<<2, WIDTH>>>(nullptr, d_P, 8);
    REQUIRE(cusim::findings().size() == 2);
    checkRemedy(cusim::findings()[0], "Blocks race here, too");
}

DEVICE_TEST("A copy past the end of a block of the host's heap is reported, and no other one") {
    const auto copied = [&](const float* source, std::size_t bytes) {
        cusim::reset();
        cudaMemcpy(OnDevice<float>(64), source, bytes, cudaMemcpyHostToDevice);
        return cusim::findings().empty() ? "" : cusim::findings()[0].title;
    };
    const std::string past = "cudaMemcpy: 256 bytes go past the end of the source, in host memory";
    auto* M = static_cast<float*>(std::calloc(16, sizeof(float)));
    CHECK(copied(M, 64).empty());
    CHECK(copied(M, 256) == past);
    CHECK(cusim::findings()[0].details[0] ==
          "from there to its end there are 64 bytes (16 floats)");
    M = static_cast<float*>(std::realloc(M, 256));
    CHECK(copied(M, 256).empty());
    CHECK(copied(M + 1, 256).empty());  // malloc has rounded up
    CHECK(copied(M + 32, 256) == past);
    float* rows[] = {M};
    CHECK(copied(reinterpret_cast<float*>(rows), 8).empty());
    auto** const all = new float*[8];
    all[0] = M;
    CHECK(copied(reinterpret_cast<float*>(all), 256) == past);
    checkRemedy(cusim::findings()[0], "copy each row from its own pointer");
    delete[] all;
    std::free(M);
}

DEVICE_TEST("A null pointer that cudaMalloc gave for 0 bytes is reported by its line") {
    cusim::reset();
    float *d_M, *d_P;
    const float zero = 0;
    cudaMalloc(&d_M, sizeof(float));
    cudaMemset(d_M, 0, sizeof(float));
    cudaMalloc(&d_P, 0 * sizeof zero);
    rightIndex<<<1, 1>>>(d_M, d_P, 1);
    REQUIRE(firstFinding().kind == "null-pointer");
    CHECK(holds(cusim::text(firstFinding()), "d_P was allocated with 0 bytes at"));
    cusim::reset();
    cudaMalloc(&d_P, 0 * sizeof zero);
    cudaMemcpy(d_P, &zero, sizeof zero, cudaMemcpyHostToDevice);
    CHECK(firstFinding().kind == "wrong-direction");
    CHECK(holds(cusim::text(firstFinding()), "d_P was allocated with 0 bytes at"));
}

DEVICE_TEST("A copy of a negative size names its bytes and the loop around it") {
    cusim::reset();
    float *d_M, onHost[4] = {};
    cudaMalloc(&d_M, sizeof onHost);
    for (int left = 1; left >= -1; left -= 2)
        cudaMemcpy(d_M, onHost, left * sizeof(float), cudaMemcpyHostToDevice);
    CHECK(firstFinding().title == "cudaMemcpy: the size is negative, -4 bytes");
    CHECK(firstFinding().kind == "wild-copy");
    checkRemedy(firstFinding(),
                "Check also that the loop in line " + std::to_string(firstFinding().line - 1));
}

DEVICE_TEST("Rows of cudaMemcpy2D that an array does not have are counted, the device's first") {
    const auto findingFor = [](std::size_t width, std::size_t height) {
        cusim::reset();
        float *d_P, P[8 * 8] = {};
        cudaMalloc(&d_P, 4 * 32);
        cudaMemset(d_P, 0, 4 * 32);
        cusim::describeHostMemory(P, sizeof P);
        cudaMemcpy2D(P, 20, d_P, 32, width, height, cudaMemcpyDeviceToHost);
        cusim::forgetHostMemory();
        return firstFinding();
    };
    CHECK(findingFor(20, 4).kind.empty());
    const cusim::Finding finding = findingFor(4, 20);
    INFO(cusim::text(finding));
    CHECK(finding.kind == "wild-copy");
    CHECK(finding.title == "cudaMemcpy2D: row 4 of 20 is past the end of the source, d_P");
    CHECK(holds(cusim::text(finding), "128 bytes from there to its end: 4 rows at a pitch of 32"));
}

DEVICE_TEST("An allocation has its variable's name beside a text that says cudaMalloc") {
    const auto checked = [](cudaError_t error, const char*) { CHECK(error == cudaSuccess); };
    float* d_data = nullptr;
    checked(cudaMalloc(&d_data, 16), "cudaMalloc of d_data");
    CHECK(cudaMemset(d_data, 0, 20) == cudaErrorInvalidValue);
    CHECK(holds(cusim::text(cusim::findings().front()), " d_data holds 16 bytes"));
    cudaFree(d_data);
}

DEVICE_TEST(
    "An index past the end is explained also if the launch passes 0 for the length of a row") {
    cusim::reset();
    float* d_P;
    cudaMalloc(&d_P, 16 * sizeof(float));
    rowsOfNoLength<<<1, dim3(4, 4)>>>(d_P, 0);
    CHECK(firstFinding().kind == "out-of-bounds");
}
