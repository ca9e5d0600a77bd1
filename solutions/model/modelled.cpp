// Writes the modelled time of each case, one row each, with all its parts:
//     modelled [LAB...]     those of all labs, or of these
// Only the first two blocks of the grid run, at the full size.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "simulator/model/card_time.h"
#include "simulator/simulator.h"
#include "solutions/model/cases.h"

namespace {

void count(const model::Case& one) {
    cusim::reset();
    float* matrices[3] = {};
    const std::size_t floats[] = {one.inputs[0], one.inputs[1], one.output};
    for (int i = 0; i < 3; ++i)
        if (floats[i] > 0) cudaMalloc(&matrices[i], floats[i] * sizeof(float));
    cusim::options().grid = dim3(one.grid.x < 2 ? 1 : 2, 1, 1);
    one.launch(matrices[0], matrices[1], matrices[2]);
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> labs(argv + 1, argv + argc);
    cusim::Options& options = cusim::options();
    options.races = options.unset = false;
    options.profile = "h200";
    std::printf("lab,kernel,size,microseconds,limit,parts\n");
    for (const model::Case& one : model::cases()) {
        if (!labs.empty() && std::find(labs.begin(), labs.end(), one.lab) == labs.end()) continue;
        count(one);
        const std::uint64_t blocks = std::uint64_t{one.grid.x} * one.grid.y * one.grid.z;
        const auto time = cusim::modelledTime(cusim::launches().back(), one.flop, blocks);
        std::printf("%s,\"%s\",%s,%.2f,%s,", one.lab.c_str(), one.kernel.c_str(), one.size.c_str(),
                    time.microseconds, time.limitedBy.c_str());
        for (const auto& part : time.parts) std::printf("%s:%.2f;", part.name, part.microseconds);
        std::printf("\n");
        std::fflush(stdout);
    }
}
