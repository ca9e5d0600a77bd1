// The program whose calls the grader times: it multiplies when asked. It takes no times and checks
// nothing, because the student's code in this process could forge both. The product lies in a file
// that the grader reads as soon as it has the reply.
//
// usage: measured WIDTH NUMBERS FOLDER
// NUMBERS  the file from which M and N are cut: two pools of equal size
// FOLDER   holds the file P and two pipes: `requests` brings two 64-bit numbers a call, where
//          M and N begin in their pools; `replies` takes a byte when P is there
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "grading/speed/call.h"

namespace {

struct Request {
    std::uint64_t beginOfM, beginOfN;
};

[[noreturn]] void fail(const std::string& what) {
    std::perror(what.c_str());
    std::exit(2);
}

int opened(const std::string& path, int how) {
    const int descriptor = open(path.c_str(), how);
    if (descriptor < 0) fail(path);
    return descriptor;
}

// Maps a whole file, already in memory, so that no call waits for a disk.
float* mapped(const std::string& path, int how, int rights, std::size_t& floats) {
    const int descriptor = opened(path, how);
    struct stat status = {};
    if (fstat(descriptor, &status) != 0) fail(path);
    const std::size_t bytes = static_cast<std::size_t>(status.st_size);
    void* at = mmap(nullptr, bytes, rights, MAP_SHARED | MAP_POPULATE, descriptor, 0);
    if (at == MAP_FAILED) fail(path);
    close(descriptor);
    floats = bytes / sizeof(float);
    return static_cast<float*>(at);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4) {
        std::fprintf(stderr, "usage: %s WIDTH NUMBERS FOLDER\n", argv[0]);
        return 2;
    }
    const int Width = std::atoi(argv[1]);
    const std::string folder = argv[3];
    std::size_t pools = 0, product = 0;
    const float* numbers = mapped(argv[2], O_RDONLY, PROT_READ, pools);
    float* P = mapped(folder + "/P", O_RDWR, PROT_READ | PROT_WRITE, product);
    const std::size_t elements = static_cast<std::size_t>(Width) * Width, pool = pools / 2;
    if (Width < 1 || pool < elements || product < elements) {
        std::fprintf(stderr, "%s: too few numbers for Width %d\n", argv[2], Width);
        return 2;
    }
    const int requests = opened(folder + "/requests", O_RDONLY);
    const int replies = opened(folder + "/replies", O_WRONLY);
    const std::size_t last = pool - elements;
    Request request = {};
    while (read(requests, &request, sizeof request) == static_cast<ssize_t>(sizeof request)) {
        if (request.beginOfM > last || request.beginOfN > last) return 2;
        callMeasured(numbers + request.beginOfM, numbers + pool + request.beginOfN, P, Width);
        if (write(replies, "", 1) != 1) return 2;
    }
    return 0;
}
