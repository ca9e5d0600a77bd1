// Tests that unset outputs are found if they are copied out, and which memory counts as unset.
#include <string>
#include <vector>

#include "chosen_options.h"
#include "findings_text.h"
#include "on_device.h"

namespace {

__global__ void store(int* y, int stored) {
    if (threadIdx.x < stored) y[threadIdx.x] = 1;
}

__global__ void firstStores(int* y) {
    __shared__ int s[32];
    if (blockIdx.x == 0) s[threadIdx.x] = 1;
    y[blockIdx.x * 32 + threadIdx.x] = s[threadIdx.x];
}

__device__ int sumOfMany(int n) {
    int many[600];
    for (int i = 0; i < 600; ++i) many[i] = n + i;
    return many[n % 600];
}
__global__ void fillsStacks(int* y) { *y = sumOfMany(threadIdx.x); }
__device__ bool isSet(int word) {
#ifdef __aarch64__
    // g++ 13 stores a zero in a frame of more than 1 KiB, to find out whether the stack has room.
    if (word == 0) return false;
#endif
    return word != 0x7FE5C0DE;
}
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
__global__ void readsUnsetLocals(int* y) {
    int large[1000], alone, small[4];
    int differ = isSet(alone);
    for (int i = 0; i < 1000; ++i) differ += isSet(large[i]);
    for (int i = 0; i < 4; ++i) differ += isSet(small[i]);
    for (int i = 0; i < 1000; ++i) large[i] = alone = i;
    atomicAdd(y, differ);
}
#pragma GCC diagnostic pop

// Has padding after two of its members.
struct Found {
    char is;
    int where;
    double distance;
    short times;
};
__global__ void storeMembers(Found* y, bool all) {
    Found& one = y[threadIdx.x];
    one.is = 1;
    one.where = static_cast<int>(threadIdx.x);
    one.distance = 2;
    if (all) one.times = 3;
}
__global__ void copyElements(const Found* x, Found* y) { y[threadIdx.x] = x[threadIdx.x]; }

// Has padding at its end.
struct Best {
    double value;
    int where;
};
__global__ void bestOf(Best* y, bool all) {
    __shared__ Best s[2][32];
    Best& own = s[1][threadIdx.x];
    own.value = 1;
    if (all) own.where = 2;
    __syncthreads();
    y[threadIdx.x] = s[1][31 - threadIdx.x];
}

// One of them alone in shared memory, or in dynamic shared memory.
__global__ void bestOfAll(Best* y, bool all) {
    __shared__ Best one;
    if (threadIdx.x == 0) one.value = 1;
    if (threadIdx.x == 0 && all) one.where = 2;
    __syncthreads();
    y[threadIdx.x] = one;
}
__global__ void bestOfMany(Best* y, bool all, bool asWords) {
    extern __shared__ Best many[];
    many[threadIdx.x].value = 1;
    if (all) many[threadIdx.x].where = 2;
    __syncthreads();
    y[threadIdx.x] = many[31 - threadIdx.x];
    if (asWords) y[threadIdx.x].where = reinterpret_cast<int*>(many)[4 * threadIdx.x + 3];
}
// Declares bytes, and takes them as elements by one of several casts.
__global__ void bestOfBytes(Best* y, bool all, int cast) {
    extern __shared__ unsigned char bytes[];
    constexpr int kFirst = 8 * sizeof(double);
    const int own = static_cast<int>(threadIdx.x);
    Best* many = nullptr;
    auto* const behind = reinterpret_cast<double*>(bytes) + 6;
    if (cast == 0) many = reinterpret_cast<Best*>(bytes);
    if (cast == 1) many = (Best*)&bytes[kFirst];
    if (cast == 2) many = &(kFirst + (Best*)(bytes + sizeof(Best)))[-kFirst];
    if (cast == 3) many = static_cast<Best*>(static_cast<void*>(bytes + kFirst));
    if (cast == 4) many = &*(Best*)(bytes + kFirst + 16 * own) - own;
    if (cast == 5) many = reinterpret_cast<Best*>(behind + 4);
    many[own].value = 1;
    if (all) many[own].where = 2;
    __syncthreads();
    y[threadIdx.x] = many[31 - threadIdx.x];
}
// The same in arrays of a size.
__global__ void bestOfStatic(Best* y, bool all, int cast) {
    struct Arrays {
        double* doubles;
    };
    __shared__ alignas(16) char bytes[40 * sizeof(Best)];
    __shared__ double doubles[2 * 40];
    __shared__ uint4 rows[2][20];
    const Arrays arrays{doubles};
    const int own = static_cast<int>(threadIdx.x);
    Best* many = nullptr;
    char* const behind = bytes + 64;
    if (cast == 0) many = reinterpret_cast<Best*>(bytes);
    if (cast == 1) many = (Best*)(void*)&bytes[64];
    if (cast == 2) many = (Best*)behind;
    if (cast == 3) many = (Best*)arrays.doubles;
    if (cast == 4) many = (Best*)rows[0] + 1;
    if (cast == 5) many = &((Best*)(doubles + 2 * own))[0] - own;
    many[own].value = 1;
    if (all) many[own].where = 2;
    __syncthreads();
    y[threadIdx.x] = many[31 - threadIdx.x];
}
// Takes an array of a size as structures with padding, or as pairs with one unset float.
__global__ void bestOrPair(Best* y, float2* z) {
    __shared__ alignas(16) char bytes[sizeof(Best)];
    if (y) {
        Best* const one = (Best*)bytes;
        one->value = 1;
        one->where = 2;
        *y = *one;
    } else {
        ((float*)bytes)[2] = 1;
        *z = ((float2*)bytes)[1];
    }
}
// Has a copy constructor of its own, and is assigned as a whole.
struct Counted {
    double value;
    int where;
    Counted() = default;
    __host__ __device__ Counted(const Counted& other) : value(other.value), where(other.where) {}
    Counted& operator=(const Counted&) = default;
};
__global__ void copyCounted(Counted* y, bool all) {
    __shared__ Counted s[32];
    s[threadIdx.x].value = 1;
    if (all) s[threadIdx.x].where = 2;
    __syncthreads();
    y[threadIdx.x] = s[31 - threadIdx.x];
}
__global__ void storeCounted(Counted* y, bool all) {
    y[threadIdx.x].value = 1;
    if (all) y[threadIdx.x].where = 2;
}

__global__ void addTo(const int* x, int* y) { y[threadIdx.x] = x[threadIdx.x] + 1; }

void copyOutput(int stored, std::size_t bytes) {
    int* d_out;
    cudaMalloc(&d_out, 12 * sizeof(int));
    store<<<1, 12>>>(d_out, stored);
    std::vector<int> host(12);
    cudaMemcpy(host.data(), d_out, bytes, cudaMemcpyDeviceToHost);  // copy-out
    cudaFree(d_out);
}

void copyOutputOfCopy(int stored) {
    int *d_out, *d_copy;
    cudaMalloc(&d_out, 12 * sizeof(int));
    cudaMalloc(&d_copy, 12 * sizeof(int));
    store<<<1, 12>>>(d_out, stored);
    cudaMemcpy(d_copy, d_out, 12 * sizeof(int), cudaMemcpyDeviceToDevice);
    std::vector<int> host(12);
    cudaMemcpy(host.data(), d_copy, 12 * sizeof(int), cudaMemcpyDeviceToHost);  // copy-of-copy
    cudaFree(d_out);
    cudaFree(d_copy);
}

void checkOutput(const std::string& mark, const std::string& title, int words, int first) {
    const cusim::Finding finding = onlyFinding();
    INFO(cusim::text(finding));
    CHECK(finding.kind == "unset-output");
    CHECK(marksOf(finding.file, finding.line) == mark);
    CHECK(holds(finding.title, title));
    REQUIRE(finding.details.size() == 1);
    CHECK(finding.details[0] == std::to_string(words) +
                                    " of 12 words of 4 bytes; the first is at index " +
                                    std::to_string(first));
}

}  // namespace

DEVICE_TEST("An output that nothing has written is found where it is copied to the host") {
    const std::string from = "cudaMemcpy copies ";
    SECTION("all of it") {
        copyOutput(0, 48);
        checkOutput("copy-out", from + "d_out, but no kernel or copy has written it", 12, 0);
    }
    SECTION("a part") {
        copyOutput(7, 48);
        checkOutput("copy-out", from + "d_out, but parts of it were never written", 5, 7);
    }
    SECTION("the last element") {
        copyOutput(11, 48);
        checkOutput("copy-out", "parts of it", 1, 11);
    }
    SECTION("through a copy on the device") {
        copyOutputOfCopy(9);
        checkOutput("copy-of-copy", from + "d_copy,", 3, 9);
    }
}

DEVICE_TEST("An output that was written, or whose unset part is not copied, is no finding") {
    copyOutput(12, 48);
    copyOutput(7, 28);
    copyOutput(0, 0);
    copyOutputOfCopy(12);
    CHECK(allFindings().empty());
}

DEVICE_TEST("Padding between members is not a missing output, however its type is known") {
    for (const bool typed : {true, false}) {
        Found *d_x, *d_y, host[12];
        cudaMalloc(&d_y, sizeof host);
        if (typed)
            cudaMalloc(&d_x, sizeof host);
        else
            cudaMalloc(reinterpret_cast<void**>(&d_x), sizeof host);
        storeMembers<<<1, 12>>>(d_x, true);
        copyElements<<<1, 12>>>(d_x, d_y);
        cudaMemcpy(host, d_x, sizeof host, cudaMemcpyDeviceToHost);
        CHECK(allFindings().empty());
    }
    Found *d_x, host[12];
    cudaMalloc(&d_x, sizeof host);
    storeMembers<<<1, 12>>>(d_x, false);
    cudaMemcpy(host, d_x, sizeof host, cudaMemcpyDeviceToHost);
    CHECK(onlyFinding().kind == "unset-output");
}

DEVICE_TEST(
    "Padding at the end of a shared element may be read, its members only once they are set") {
    Best* y;
    cudaMalloc(&y, 32 * sizeof(Best));
    bestOf<<<1, 32>>>(y, true);
    checkNothingFound();
    bestOf<<<1, 32>>>(y, false);
    CHECK(onlyFinding().kind == "unset-read");
}

DEVICE_TEST("Padding may be read of a shared structure that is no array, or in dynamic memory") {
    Best* y;
    cudaMalloc(&y, 32 * sizeof(Best));
    bestOfAll<<<1, 32>>>(y, true);
    bestOfMany<<<1, 32, 32 * sizeof(Best)>>>(y, true, false);
    checkNothingFound();
    const auto isUnset = [](const std::string& title) {
        INFO(cusim::text(onlyFinding()));
        CHECK(onlyFinding().kind == "unset-read");
        CHECK(holds(onlyFinding().title, title));
        cusim::reset();
    };
    bestOfAll<<<1, 32>>>(y, false);
    isUnset("one");
    cudaMalloc(&y, 32 * sizeof(Best));
    bestOfMany<<<1, 32, 32 * sizeof(Best)>>>(y, false, false);
    isUnset("many");
    // A read of these bytes alone takes them for something else.
    cudaMalloc(&y, 32 * sizeof(Best));
    bestOfMany<<<1, 32, 32 * sizeof(Best)>>>(y, true, true);
    isUnset("many");
}

DEVICE_TEST("Padding may be read of structures as which a kernel takes shared bytes") {
    for (const auto kernel : {bestOfBytes, bestOfStatic})
        for (int cast = 0; cast < 6; ++cast) {
            Best* y;
            cudaMalloc(&y, 32 * sizeof(Best));
            CAPTURE(cast);
            kernel<<<1, 32, 40 * sizeof(Best)>>>(y, true, cast);
            checkNothingFound();
            kernel<<<1, 32, 40 * sizeof(Best)>>>(y, false, cast);
            CHECK(onlyFinding().kind == "unset-read");
            cusim::reset();
        }
}

DEVICE_TEST(
    "A launch may not read what was padding to the one before, in a shared array of a size") {
    Best* y;
    float2* z;
    cudaMalloc(&y, sizeof(Best));
    cudaMalloc(&z, sizeof(float2));
    bestOrPair<<<1, 1>>>(y, nullptr);
    checkNothingFound();
    bestOrPair<<<1, 1>>>(nullptr, z);
    CHECK(onlyFinding().kind == "unset-read");
}

DEVICE_TEST("Padding of a type that has a copy constructor of its own may be read") {
    Counted *y, host[32];
    cudaMalloc(&y, sizeof host);
    const auto copyOut = [&](auto kernel, bool all) {
        kernel<<<1, 32>>>(y, all);
        cudaMemcpy(static_cast<void*>(host), y, sizeof host, cudaMemcpyDeviceToHost);
    };
    copyOut(copyCounted, true);
    copyOut(storeCounted, true);
    checkNothingFound();
    copyOut(copyCounted, false);
    CHECK(onlyFinding().kind == "unset-read");
    cusim::reset();
    cudaMalloc(&y, sizeof host);
    copyOut(storeCounted, false);
    CHECK(onlyFinding().kind == "unset-output");
}

DEVICE_TEST("Managed memory is unset until the host, a call or a kernel stores") {
    const auto found = [](int bytes, auto set) {
        cusim::reset();
        int *managed, *y;
        cudaMallocManaged(&managed, bytes);
        cudaMalloc(&y, 12 * sizeof(int));
        set(managed);
        addTo<<<1, 12>>>(managed, y);
        cudaDeviceSynchronize();
        return !cusim::findings().empty() && onlyFinding().kind == "unset-read";
    };
    CHECK(found(48, [](int*) {}));
    CHECK_FALSE(found(48, [](int* all) { std::fill_n(all, 12, 0); }));
    CHECK_FALSE(found(48, [](int* all) { cudaMemset(all, 0, 48); }));
    CHECK_FALSE(found(48, [](int* all) { store<<<1, 12>>>(all, 12); }));
    // The host may leave the rest of a structure as it is.
    CHECK_FALSE(found(48, [](int* all) { all[0] = 1; }));
    CHECK(found(64 << 10, [](int* all) { cudaMemset(all, 0, 44); }));
}

TEST_CASE("Shared memory is unset again in each of a great many blocks") {
    const ChosenOptions chosen(1);
    // More blocks than there are marks. 899 of them read 32 elements each.
    resultOf(firstStores, 900 * 32, 900, 32);
    unsigned long long found = 0;
    for (const cusim::Finding& finding : cusim::findings()) found += finding.count;
    CHECK(found == 28768);
}

DEVICE_TEST(
    "Local variables that nothing has set hold the same pattern in every thread and block") {
    for (const int blocks : {1, 2, 40}) {
        INFO(blocks << " blocks");
        const OnDevice<int> differ(1, 0);
        for (int launch = 0; launch < 3; ++launch) {
            resultOf(fillsStacks, 1, blocks, 32);
            readsUnsetLocals<<<blocks, 32>>>(differ);
        }
        CHECK(differ.host()[0] == 0);
    }
}
