// Replaces the functions of the simulated device that the readers of records call: the sanitizers
// need the device's memory for themselves.
#include "simulator/findings/source_lines.h"
#include "simulator/simulator.h"

namespace cusim {

Options& options() {
    static Options all = [] {
        Options o{};
        o.countElements = true;
        return o;
    }();
    return all;
}

std::string sourceText(const std::string&) { return ""; }
std::string sourceLine(const std::string&, int) { return ""; }

}  // namespace cusim

const char* cudaGetErrorString(cudaError_t) { return "an error"; }
const char* cudaGetErrorName(cudaError_t) { return "cudaError"; }
