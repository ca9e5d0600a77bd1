// Tests the report of a host that uses memory of an asynchronous copy, or fill, too early.
#include <vector>

#include "waiting.h"

namespace {

constexpr std::size_t kBytes = kCount * sizeof(int);

__global__ void fill(int* y, int value) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < kCount) y[i] = value;
}
void launch(int* y, cudaStream_t stream = nullptr) {
    fill<<<(kCount + 255) / 256, 256, 0, stream>>>(y, 7);  // launch
}

int* pinned() {
    int* h = nullptr;
    cudaMallocHost(&h, kBytes);
    return h;
}

void copy(void* target, const void* source, cudaStream_t stream = nullptr,
          cudaMemcpyKind kind = cudaMemcpyDefault, std::size_t bytes = kBytes) {
    cudaMemcpyAsync(target, source, bytes, kind, stream);  // copy
}

const char* const kEarlyCopy = "missing-wait: early, copy\n";

}  // namespace

TOLERANT_TEST("the target of an asynchronous copy is used after a wait") {
    const OnDevice<int> d(kCount, 3);
    const Streams of;
    for (int* const h : {pinned(), managed()}) {
        copy(h, d, of.a, cudaMemcpyDeviceToHost);
        cudaStreamSynchronize(of.a);
        h[0] += 1;
        copy(h, d, of.a, cudaMemcpyDeviceToHost, 1024 * sizeof *h);
        CHECK(h[1024] == 3);
        cudaMemcpy(h + 2000, d, 4, cudaMemcpyDeviceToHost);
        CHECK(h[1] == 3);
        CHECK(all().empty());
    }
    int* const h = pinned();
    copy(h, d, of.a, cudaMemcpyDeviceToHost);
    const int seen = h[7];  // early
    CHECK(seen == 3);
    CHECK(all() == kEarlyCopy);
    CHECK(cusim::findings()[0].title == "the host uses h, which cudaMemcpyAsync may still write");
}

TOLERANT_TEST("the source of an asynchronous copy may be read, and is overwritten after a wait") {
    const OnDevice<int> d(kCount);
    int* const h = pinned();
    for (int i = 0; i < kCount; ++i) h[i] = i;
    copy(d, h);
    CHECK(h[9] == 9);
    cudaDeviceSynchronize();
    h[9] = 0;
    copy(d, h, nullptr, cudaMemcpyHostToDevice, 1024 * sizeof *h);
    h[1024] = 1;
    CHECK(all().empty());
    copy(d, h);
    h[9] = 1;  // early
    CHECK(all() == kEarlyCopy);
    CHECK(cusim::findings()[0].title ==
          "the host writes to h, which cudaMemcpyAsync may still read");
}

TOLERANT_TEST("a copy that blocks, as to or within pageable memory, needs no wait and is one") {
    const OnDevice<int> d(kCount, 3);
    std::vector<int> pageable(kCount, 1);
    int *const h = pinned(), *const other = pinned(), *const y = managed();
    const Streams of;
    launch(y, of.a);
    copy(pageable.data(), d, of.a);
    pageable[0] += y[0];
    copy(d, pageable.data(), of.a);
    pageable[0] = 5;
    for (int i = 0; i < kCount; ++i) other[i] = h[i] = i;
    copy(h, other, of.a, cudaMemcpyHostToHost);
    h[1] = other[1] = 2;
    cudaMemcpy(h, d, kBytes, cudaMemcpyDeviceToHost);
    h[1] += 2;
    cudaMemset(h, 0, kBytes);
    cudaMemset(y, 0, kBytes);
    CHECK(h[1] + y[1] == 0);
    CHECK(all().empty());
}

TOLERANT_TEST("an asynchronous fill, and what a kernel stores to mapped memory, needs a wait") {
    int* const y = managed();
    cudaMemsetAsync(y, 0, kBytes);  // copy
    y[1] = 2;                       // early
    CHECK(all() == kEarlyCopy);
    cusim::reset();
    int* const mapped = pinned();
    launch(mapped);
    mapped[1] = 2;  // early
    CHECK(all() == "missing-wait: early, launch\n");
}

TOLERANT_TEST("rows of a pitch leave what lies between them") {
    const OnDevice<int> d(kCount, 3);
    int* const h = pinned();
    h[10] = h[90] = 1;
    cudaMemcpy2DAsync(h, 100 * sizeof *h, d, 100 * sizeof *h, 50 * sizeof *h, kCount / 100,
                      cudaMemcpyDeviceToHost);  // copy
    h[50] = h[2999] = 1;
    CHECK(all().empty());
    cudaMemcpy2D(h, 100 * sizeof *h, d, 100 * sizeof *h, 50 * sizeof *h, kCount / 100,
                 cudaMemcpyDeviceToHost);
    CHECK(h[49] == 3);
    CHECK(all().empty());
}
