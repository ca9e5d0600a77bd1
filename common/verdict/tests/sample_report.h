// A report with something in each of its parts, as a student's program has one written.
#pragma once

#include "verdict/record/report_format.h"

namespace sample {

inline cusim::Report report(const void* copiedFrom = nullptr) {
    cusim::Report r;
    cusim::LaunchReport launch;
    launch.kernel = "matrixMulKernel";
    launch.at = {"kernel.cu", 47};
    launch.grid = dim3(2, 3);
    launch.block = dim3(16, 16);
    launch.arrays.resize(2);
    launch.arrays[0].name = "d_M";
    launch.arrays[0].copiedFrom = copiedFrom;
    launch.arrays[0].elementLoads = {1, 2, 3};
    launch.arrays[1].space = cusim::Space::Shared;
    r.launches = {launch, launch};
    cusim::Finding finding("race", "two threads write", {"kernel.cu", 12}, "Wait.", {"one", "two"});
    finding.others = {{"kernel.cu", 13}};
    finding.source = "a = b;";
    r.findings = {finding, {"assert", "assertion failed: a", {"kernel.cu", 1}}};
    r.calls = {"cudaMalloc", "launch", "cudaFree"};
    r.streamSteps.resize(2);
    r.streamSteps[0].what = cusim::StreamStep::CopyOut;
    r.streamSteps[0].bytes = 64;
    r.storedValues = {1, 2, 3};
    return r;
}

}  // namespace sample
