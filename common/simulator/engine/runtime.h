// State of the simulated runtime: the last error, the calls, the findings.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "simulator/engine/stored_values.h"
#include "simulator/findings/finding.h"
#include "simulator/include/cusim/errors.h"
#include "simulator/include/cusim/stream_types.h"
#include "simulator/simulator.h"

namespace cusim {

// A call of the runtime that returned an error, with what the error's name does not say.
struct FailedCall {
    std::string function;
    cudaError_t error = cudaSuccess;
    std::string why;
    bool byDestructor = false;  // of a call that was made to fail
};

struct Runtime {
    cudaError_t last = cudaSuccess;
    cudaError_t sticky = cudaSuccess;  // after a failed kernel, as on a device, until reset()
    std::vector<std::string> calls;
    FailedCall lastFailed;  // its function is empty if no call has failed
    std::map<std::string, cudaError_t> toFail;
    std::vector<Finding> findings;
    std::vector<LaunchReport> launches;
    std::vector<StreamStep> streamSteps;
    StoredValues storedValues;
    std::map<int, std::vector<char>> received;  // by allocation, see host_memory.h
    struct Registered {
        std::size_t bytes;
        Place at;
    };
    std::map<std::uintptr_t, Registered> registered;  // host memory, by its start
    int streamsMade = 0, eventsMade = 0;
    std::thread::id inHostFunction;    // that runs a function of cudaLaunchHostFunc
    std::set<const void*> hostPlaces;  // return addresses of the accesses that were reported
    // Bytes of dynamic shared memory by kernel, of cudaFuncSetAttribute; INT_MAX: all of the
    // device.
    std::map<const void*, int> dynamicSharedAsked;
    std::map<int, std::size_t> limits;                       // by cudaDeviceSetLimit
    static void (*findingListener)(const Finding& finding);  // see api/report.h; may be null
    static void (*endListener)();                            // see api/report.h; may be null
    // See include/cusim/device_code_on_host.h; may be null: called in each call, and to allow an
    // access of host code to device memory.
    static void (*callListener)();
    static bool (*lend)(const void* address);

    static Runtime& instance();

    // Host threads of a program take turns in the runtime: one has an object of this class.
    class Turn {
      public:
        Turn();

      private:
        std::unique_lock<std::recursive_mutex> lock_;
    };

    // Notes a call by name. Returns an error for the call to return at once, or cudaSuccess.
    cudaError_t enter(const char* function);
    // Notes a step, to which it adds the numbers of stream and event.
    void note(StreamStep step, cudaStream_t stream, cudaEvent_t event = nullptr);
    // Returns a step with those numbers.
    static StreamStep numbered(StreamStep step, cudaStream_t stream, cudaEvent_t event = nullptr);
    // Keeps an error for cudaGetLastError and returns it.
    cudaError_t keep(cudaError_t error, const std::string& why = "");
    void report(Finding finding);
    bool isRegistered(const void* host) const { return registeredAt(host).second > 0; }
    // Returns start and bytes of the registered memory that holds an address; 0 bytes without.
    std::pair<std::uintptr_t, std::size_t> registeredAt(const void* host) const;
    // Reports a finding about a call, and keeps and returns the call's error.
    cudaError_t refuse(cudaError_t error, Finding finding) {
        report(std::move(finding));
        return keep(error);
    }
};

}  // namespace cusim
