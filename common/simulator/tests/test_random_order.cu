// Compares what is found in random kernels with what CUDA's memory model, as memory_model.cpp has
// it, says of the list of what the threads did. CUSIM_KERNELS: see asked_seeds.h.
#include <algorithm>
#include <string>
#include <vector>

#include "asked_seeds.h"
#include "chosen_options.h"
#include "findings_text.h"
#include "memory_model.h"
#include "noted_steps.h"
#include "on_device.h"
#include "random_kernel.h"
#include "random_programs.h"

namespace {

using namespace random_kernel;

const char* const kNames[kWhats] = {"nothing",
                                    "load s",
                                    "store s",
                                    "load g",
                                    "store g",
                                    "store same",
                                    "load same",
                                    "load f",
                                    "volatile load f",
                                    "volatile store f",
                                    "add f",
                                    "exchange f",
                                    "load-acquire f",
                                    "store-release f",
                                    "compare-and-swap f",
                                    "fence",
                                    "fence of the block",
                                    "exchange hand",
                                    "store-release hand",
                                    "await hand",
                                    "await hand, volatile",
                                    "copy g to s",
                                    "copy g to s, bound",
                                    "commit",
                                    "wait for all",
                                    "wait for all groups but one",
                                    "barrier",
                                    "barrier, an object",
                                    "__syncwarp",
                                    "__syncwarp of a half",
                                    "block.sync",
                                    "tile.sync",
                                    "shuffle"};

struct NoteSteps {
    void operator()(int actor, int what, int place) const { noteStep(actor, what, place); }
};

// Returns the list of the run that is judged. A launch in which a race is suspected runs twice, and
// some once more in the opposite order; one whose blocks wait for one another begins anew. Each
// thread begins a run with a step of nothing.
std::vector<NotedStep> judgedRun(const Program& program) {
    std::vector<std::vector<NotedStep>> runs;
    bool begun[kBlocks * kActors] = {};
    for (int i = 0; i < notedCount; ++i) {
        const NotedStep& step = notedSteps[i];
        if (step.what == Nothing && (runs.empty() || begun[step.actor])) {
            runs.emplace_back();
            std::fill(std::begin(begun), std::end(begun), false);
        }
        begun[step.actor] = true;
        runs.back().push_back(step);
    }
    const std::size_t whole = listOf(program).size() + std::size(begun);
    const auto broken = [&](const auto& run) { return run.size() != whole; };
    runs.erase(std::remove_if(runs.begin(), runs.end(), broken), runs.end());
    REQUIRE_FALSE(runs.empty());
    return runs.size() == 1 ? runs[0] : runs[1];
}

Verdict found(const std::string& array) {
    Verdict worst = Clean;
    for (const cusim::Finding& finding : cusim::findings())
        if (holds(finding.title, "race on " + array + ":") ||
            holds(finding.title, "race on " + array + " "))
            worst = std::max(worst, finding.remark ? Remark : Race);
    return worst;
}

std::string listing(const std::vector<NotedStep>& steps) {
    std::string text;
    for (const NotedStep& step : steps) {
        if (step.what == Nothing) continue;
        text += cusim::joined("  block ", step.actor / kActors, " thread ",
                              kActing[step.actor % kActors], ": ", kNames[step.what], "[",
                              step.place, "]\n");
    }
    return text;
}

Values launched(const Program& codes, unsigned seed) {
    cusim::reset();
    cusim::options().tolerant = true;
    cusim::options().unset = false;
    cusim::options().schedule = seed % 2 ? "random:" + std::to_string(seed) : "forward";
    const OnDevice<int> program(codes), sink(kBlocks * kActors);
    int *g = nullptr, *same = nullptr, *f = nullptr, *hands = nullptr;
    cudaMalloc(&g, kPlaces * sizeof(int));
    cudaMalloc(&same, kPlaces * sizeof(int));
    cudaMalloc(&f, kPlaces * sizeof(int));
    cudaMalloc(&hands, kHands * sizeof(int));
    for (int* array : {g, same, f}) cudaMemset(array, 0, kPlaces * sizeof(int));
    cudaMemset(hands, 0, kHands * sizeof(int));
    notedCount = 0;
    randomKernel<NoteSteps><<<kBlocks, kThreads>>>(program, g, same, f, hands, sink, NoteSteps{});
    Values left = {std::vector<int>(kPlaces), std::vector<int>(kPlaces), std::vector<int>(kPlaces),
                   sink.host()};
    cudaMemcpy(left.g.data(), g, kPlaces * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(left.same.data(), same, kPlaces * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(left.f.data(), f, kPlaces * sizeof(int), cudaMemcpyDeviceToHost);
    return left;
}

}  // namespace

TEST_CASE("Random kernels race where the memory model says so, and nowhere else") {
    const ChosenOptions chosen(1);
    unsigned verdicts[3] = {};
    const auto [first, end] = askedSeeds(60);
    for (unsigned seed = first; seed < end; ++seed) {
        const Program program = randomProgram(seed);
        launched(program, seed);
        const std::vector<NotedStep> steps = judgedRun(program);
        INFO("seed " << seed << "\n" << listing(steps) << allFindings());
        const Model model(steps);
        const auto& all = cusim::findings();
        const bool races = std::any_of(all.begin(), all.end(), [](const cusim::Finding& finding) {
            return finding.kind == "race";
        });
        for (const auto& [name, array] :
             {std::pair{"g", 'g'}, {"s", 's'}, {"f", 'f'}, {"hands", 'h'}}) {
            INFO(name);
            ++verdicts[model.of(array)];
            const Verdict verdict = found(name);
            // Beside a race it is not said that stores of one value are harmless.
            const bool mayLack = races && verdict == Clean && model.of(array) == Remark;
            if (verdict != model.of(array) && !mayLack) CHECK(verdict == model.ofUsed(array));
        }
        const Verdict ofSame = model.of('e');
        if (!races) CHECK((found("same") == Clean) == (ofSame == Clean));
        CHECK(found("same") <= ofSame);
    }
    for (const unsigned count : verdicts) CHECK((count > 0 || end - first < 1000));
}

TEST_CASE("Random kernels leave their values, where the memory model says that they have some") {
    const ChosenOptions chosen(1);
    const auto [first, end] = askedSeeds(30);
    for (unsigned seed = first; seed < end; ++seed) {
        const Program program = determinedProgram(seed);
        INFO("seed " << seed << "\n" << listing(listOf(program)));
        CHECK(launched(program, seed) == valuesOf(program));
        CHECK(allFindings() == "");
    }
}
