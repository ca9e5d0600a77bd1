// Tests memory that kernels take by new and malloc.
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "chosen_options.h"
#include "on_device.h"
#include "simulator/simulator.h"
#include "testing/catch.h"
#include "tolerant.h"

namespace {

__global__ void ownSum(int* y, int count) {
    int* const all = new int[count];
    for (int i = 0; i < count; ++i) all[i] = i + threadIdx.x;
    int* const sum = static_cast<int*>(malloc(sizeof(int)));
    *sum = 0;
    for (int i = 0; i < count; ++i) *sum += all[i];
    y[blockIdx.x * blockDim.x + threadIdx.x] = *sum;
    free(sum);
    delete[] all;
    free(nullptr);
}
__global__ void tooMuch(int* y, int bytes) {
    void* const first = malloc(bytes);
    void* const second = new (std::nothrow) char[bytes];
    y[0] = first != nullptr;
    y[1] = second != nullptr;
    free(first);
    void* const third = malloc(bytes);
    y[2] = third != nullptr;
    free(third);
}
__global__ void useAll(int* y, int count) {
    for (int i = 0; i < 2; ++i) {
        int* const own = new int[count];
        own[0] = y[0];
    }
}
__global__ void keep(int** kept) { *kept = new int(7); }
__global__ void useKept(int* y, int** kept) {
    y[0] = **kept;
    delete *kept;
}
struct Node {
    int value;
    Node* next;
};
__global__ void push(unsigned long long* head) {
    Node* const node = new Node{static_cast<int>(threadIdx.x), nullptr};
    unsigned long long first = *head, before;
    do {
        before = first;
        node->next = reinterpret_cast<Node*>(before);
        first = atomicCAS(head, before, reinterpret_cast<unsigned long long>(node));
    } while (first != before);
}
__global__ void sumAndFree(int* y, const unsigned long long* head) {
    Node* next;
    for (Node* one = reinterpret_cast<Node*>(*head); one; one = next) {
        y[0] += one->value;
        next = one->next;
        delete one;
    }
}
__global__ void pastEnd(int* y, int i) {
    int* const four = new int[4]();
    y[0] = four[i];  // four ints
    delete[] four;
}
#if __GNUC__ > 11  // whose compiler sees the mistakes of these two kernels, too
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuse-after-free"
#endif
__global__ void afterFree(int* y, int i) {
    int* const four = new int[4]();
    delete[] four;
    y[0] = four[i];
}
__global__ void storeAfterFree(int** rows) {
    rows[0] = new int[4]();
    delete[] rows[0];
    rows[0][2] = 1;
}
__global__ void freedTwice(int* y, int) {
    void* const four = malloc(4);
    free(four);
    free(four);
    y[0] = 1;
}
#if __GNUC__ > 11
#pragma GCC diagnostic pop
#endif
__global__ void freesAnother(int* y, int) { free(y); }

cusim::Finding findingOf(void (*kernel)(int*, int), int number) {
    cusim::reset();
    const OnDevice<int> y(4, 0);
    kernel<<<1, 1>>>(y, number);
    REQUIRE(cusim::findings().size() == 1);
    return cusim::findings()[0];
}

}  // namespace

TEST_CASE("A kernel computes in memory that it has got by new and malloc") {
    cusim::reset();
    const OnDevice<int> y(64, 0);
    ownSum<<<8, 8>>>(y, 5);
    CHECK(cudaGetLastError() == cudaSuccess);
    CHECK(cusim::findings().empty());
    const std::vector<int> sums = y.host();
    for (std::size_t i = 0; i < sums.size(); ++i)
        CHECK(sums[i] == 10 + 5 * static_cast<int>(i % 8));
    const auto& launch = cusim::launches()[0];
    CHECK(launch.heap.stores > 64);
    CHECK(launch.global().stores == 64 + launch.heap.stores);  // it is device memory
}

TEST_CASE("More than 8 MiB are not to be had, and freed memory can be had again") {
    cusim::reset();
    const OnDevice<int> y(3, 9);
    tooMuch<<<1, 1>>>(y, 5 << 20);
    CHECK(cusim::findings().empty());
    CHECK(y.host() == std::vector<int>{1, 0, 1});
}

TEST_CASE("A null pointer from new is explained by the heap, which has no room") {
    const cusim::Finding finding = findingOf(useAll, 5 << 18);
    CHECK(finding.kind == "null-pointer");
    CHECK(holds(finding.remedy, "returned a null pointer because the device's heap is full"));
}

TEST_CASE("What a kernel has not freed is there for the next one") {
    cusim::reset();
    const OnDevice<int*> kept(1, nullptr);
    const OnDevice<int> y(1, 0);
    keep<<<1, 1>>>(kept);
    useKept<<<1, 1>>>(y, kept);
    CHECK(cusim::findings().empty());
    CHECK(y.host() == std::vector<int>{7});
}

TOLERANT_TEST("What is right by CUDA's memory model is no race beside new, and the heap is kept") {
    const OnDevice<unsigned long long> head(1, 0);
    const OnDevice<int> y(1, 0);
    for (int i = 0; i < 2; ++i) push<<<2, 64>>>(head);
    sumAndFree<<<1, 1>>>(y, head);
    CHECK(told() == "");
    CHECK(y.host() == std::vector<int>{4 * 63 * 64 / 2});
}

TEST_CASE("An access outside of what new gave is found, and one after delete") {
    const cusim::Finding past = findingOf(pastEnd, 4);
    INFO(cusim::text(past));
    CHECK(past.kind == "out-of-bounds");
    CHECK(holds(past.title, "reads outside of memory from new or malloc"));
    CHECK(holds(past.details.at(0), "index 4; 16 bytes were allocated at "));
    CHECK(holds(findingOf(pastEnd, -1).details.at(0), "index -1; 16 bytes were allocated at "));
    CHECK(holds(cusim::text(past), "y[0] = four[i];  // four ints"));
    const cusim::Finding after = findingOf(afterFree, 2);
    CHECK(after.kind == "use-after-free");
    CHECK(holds(after.title, "reads memory that it has freed"));
    // The line names another array, which holds the pointer.
    cusim::reset();
    storeAfterFree<<<1, 1>>>(OnDevice<int*>(1, nullptr));
    REQUIRE(cusim::findings().size() == 1);
    CHECK(holds(cusim::findings()[0].title, "writes memory that it has freed"));
}

TEST_CASE("Freeing what is no such memory is found") {
    CHECK(findingOf(freedTwice, 0).kind == "double-free");
    CHECK(findingOf(freesAnother, 0).kind == "invalid-free");
}
