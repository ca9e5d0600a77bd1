// Times the tiled kernel on an OpenCL platform, for bench.py:
//     opencl_bench PLATFORM SOURCE WIDTH RUNS
// Takes the first platform whose name holds PLATFORM and prints 'version ...' and 'run SECONDS' a
// run. Ends with status 2 without such a platform.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

constexpr std::size_t kTile = 16;

void check(cl_int status, const char* call) {
    if (status == CL_SUCCESS) return;
    std::fprintf(stderr, "opencl_bench: %s fails with status %d\n", call, status);
    std::exit(1);
}

std::string text(cl_platform_id platform, cl_platform_info what) {
    std::size_t bytes = 0;
    check(clGetPlatformInfo(platform, what, 0, nullptr, &bytes), "clGetPlatformInfo");
    std::string value(bytes, '\0');
    check(clGetPlatformInfo(platform, what, bytes, &value[0], nullptr), "clGetPlatformInfo");
    value.resize(value.find('\0'));  // the size counts the '\0'
    return value;
}

// Returns "PoCL 3.1" of "OpenCL 3.0 PoCL 3.1  Linux, ..." and "Oclgrind 21.10" of "OpenCL 1.2
// (Oclgrind 21.10)".
std::string ownVersion(cl_platform_id platform) {
    std::istringstream words(text(platform, CL_PLATFORM_VERSION));
    std::string word, name, number;
    words >> word >> word >> name >> number;
    const std::string both = name + " " + number;
    return both[0] == '(' ? both.substr(1, both.size() - 2) : both;
}

cl_platform_id findPlatform(const std::string& name) {
    cl_uint count = 0;
    clGetPlatformIDs(0, nullptr, &count);
    std::vector<cl_platform_id> platforms(count);
    if (count > 0) clGetPlatformIDs(count, platforms.data(), nullptr);
    for (cl_platform_id platform : platforms)
        if (text(platform, CL_PLATFORM_NAME).find(name) != std::string::npos) return platform;
    std::fprintf(stderr, "opencl_bench: no OpenCL platform here is named '%s'\n", name.c_str());
    std::exit(2);
}

cl_kernel build(cl_context context, cl_device_id device, const char* path) {
    std::ifstream file(path);
    std::ostringstream contents;
    contents << file.rdbuf();
    const std::string source = contents.str();
    const char* start = source.c_str();
    cl_int status = CL_SUCCESS;
    cl_program program = clCreateProgramWithSource(context, 1, &start, nullptr, &status);
    check(status, "clCreateProgramWithSource");
    check(clBuildProgram(program, 1, &device, "", nullptr, nullptr), "clBuildProgram");
    cl_kernel kernel = clCreateKernel(program, "tiled", &status);
    check(status, "clCreateKernel");
    return kernel;
}

cl_mem onDevice(cl_context context, std::vector<float>& values) {
    cl_int status = CL_SUCCESS;
    cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                   values.size() * sizeof(float), values.data(), &status);
    check(status, "clCreateBuffer");
    return memory;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 5) {
        std::fprintf(stderr, "Use: opencl_bench PLATFORM SOURCE WIDTH RUNS\n");
        return 2;
    }
    const int Width = std::atoi(argv[3]), runs = std::atoi(argv[4]);
    cl_platform_id platform = findPlatform(argv[1]);
    std::printf("version %s\n", ownVersion(platform).c_str());
    cl_int status = CL_SUCCESS;
    cl_device_id device = nullptr;
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "clGetDeviceIDs");
    cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
    check(status, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
    check(status, "clCreateCommandQueue");
    cl_kernel kernel = build(context, device, argv[2]);

    const std::size_t width = static_cast<std::size_t>(Width);
    std::vector<float> ones(width * width, 1.0f), P(width * width, -1.0f);
    cl_mem buffers[] = {onDevice(context, ones), onDevice(context, ones), onDevice(context, P)};
    for (cl_uint i = 0; i < 3; ++i)
        check(clSetKernelArg(kernel, i, sizeof(cl_mem), &buffers[i]), "clSetKernelArg");
    check(clSetKernelArg(kernel, 3, sizeof Width, &Width), "clSetKernelArg");

    const std::size_t all[] = {width, width}, group[] = {kTile, kTile};
    for (int i = 0; i <= runs; ++i) {
        const auto start = std::chrono::steady_clock::now();
        check(clEnqueueNDRangeKernel(queue, kernel, 2, nullptr, all, group, 0, nullptr, nullptr),
              "clEnqueueNDRangeKernel");
        check(clFinish(queue), "clFinish");
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
        // The first run compiles and warms up.
        if (i > 0) std::printf("run %.6f\n", seconds.count());
    }

    check(clEnqueueReadBuffer(queue, buffers[2], CL_TRUE, 0, P.size() * sizeof(float), P.data(), 0,
                              nullptr, nullptr),
          "clEnqueueReadBuffer");
    for (const float element : P)
        if (element != static_cast<float>(Width)) {
            std::fprintf(stderr, "opencl_bench: the product is wrong\n");
            return 1;
        }
}
