// Names the step that makes a call end early, from the simulated device's record.
#pragma once

#include <cuda_runtime.h>

#include <set>

#include "lab4_memtypes/overlap/banded_run.h"
#include "testing/device.h"
#include "testing/lab_sim.h"

// Fails the test if the pinned memory has less room than its floats take.
inline void expectRoom() {
    constexpr std::size_t kFloats = 1000, kBytes = kFloats * sizeof(float);
    device::reset();
    device::runQuietly(lab::gives(), [] {
        float *pinned = pinnedFloats(kFloats), *device = nullptr;
        cudaMalloc(&device, kBytes);
        cudaMemcpy(pinned, device, kBytes, cudaMemcpyDeviceToHost);
        cudaFree(device);
        freePinned(pinned);
    });
    if (lab::findingsOf("wild-copy").empty()) return;
    lab::beginWith(Todo(1));
    lab::fail("wild-copy", Todo(1),
              "pinnedFloats({}) returns memory of less than {} bytes.\ncudaMallocHost counts "
              "bytes: elements * sizeof(float).",
              kFloats, lab::grouped(kBytes));
}

// Blames TODO(2) for a run that ends early if some bands have a stream and others have none.
inline void blameMissingStreams() {
    std::set<int> streams;
    for (const cusim::StreamStep& step : cusim::streamSteps())
        if (step.what == cusim::StreamStep::CopyIn && step.pinned) streams.insert(step.stream);
    if (streams.size() < 2 || !streams.count(0)) return;
    lab::beginWith(Todo(2));
    lab::addToEnd(
        "Some bands are copied in streams that were created, and others in the "
        "default\nstream. Does the loop create streams[s] in each of its turns?");
}
