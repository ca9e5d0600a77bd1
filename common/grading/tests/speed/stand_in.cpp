// Stands in for a kernel on a card, to test the grader's stopwatch: a product on the host that
// behaves as MODE says.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "grading/speed/call.h"

namespace {

void multiply(const float* M, const float* N, float* P, int Width) {
    for (int i = 0; i < Width; ++i)
        for (int j = 0; j < Width; ++j) {
            float sum = 0;
            for (int k = 0; k < Width; ++k) sum += M[i * Width + k] * N[k * Width + j];
            P[i * Width + j] = sum;
        }
}

}  // namespace

#if MODE_PATCHES_CLOCK
// Time stands still for every caller in this process.
extern "C" int clock_gettime(clockid_t, timespec* time) {
    *time = {1, 0};
    return 0;
}
extern "C" int gettimeofday(timeval*, void*) noexcept { return 0; }
#endif

void callMeasured(const float* M, const float* N, float* P, int Width) {
    static int calls = 0;
    ++calls;
#if MODE_AT_ONCE  // the first call is honest
    if (calls > 1) return;
#elif MODE_KEEPS_RESULTS
    static std::vector<float> kept;
    if (!kept.empty()) {
        std::copy(kept.begin(), kept.end(), P);
        return;
    }
#elif MODE_CRASHES
    if (calls > 2) *static_cast<volatile int*>(nullptr) = 1;
#elif MODE_HANGS
    if (calls > 2)
        for (;;) pause();
#elif MODE_EXITS
    std::exit(0);
#elif MODE_EARLY_REPLY  // replies first and computes afterwards
    static const int replies = open("replies", O_WRONLY);
    if (write(replies, "", 1) != 1) std::abort();
#elif MODE_CUTS_FILE
    if (truncate("P", 0) != 0) std::abort();
    return;
#elif MODE_OTHER_FILE  // renames the file P
    rename("P", "Q");
    close(open("P", O_WRONLY | O_CREAT, 0666));
#endif
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    multiply(M, N, P, Width);
#if MODE_KEEPS_RESULTS
    kept.assign(P, P + Width * Width);
#endif
}
