#include "simulator/explain/early_uses.h"

#include <map>
#include <string>
#include <tuple>

#include "simulator/engine/runtime.h"
#include "simulator/engine/worker_pool.h"
#include "simulator/findings/coordinates.h"
#include "simulator/findings/source_lines.h"
#include "simulator/memory/element_names.h"

namespace cusim {

void reportEarlyUses(const KernelCall& call, const LaunchConfig& config, int used) {
    struct Use {
        EarlyUse use;
        EarlyUseExample example;
    };
    // Several instructions of a line are one use.
    std::map<std::tuple<std::string, int, std::string, int, std::uint32_t, bool>, Use> uses;
    for (int w = 0; w < used; ++w)
        for (const auto& [use, example] : workers()[w]->copies.found()) {
            const Place at = placeOf(placeOfInstruction(use.access));
            const Place copy = placeOf(placeOfInstruction(use.copy));
            const auto [found, isNew] =
                uses.try_emplace({at.file, at.line, copy.file, copy.line, use.array, use.ownCopy},
                                 Use{use, example});
            if (isNew) continue;
            const std::uint64_t count = found->second.example.count + example.count;
            if (example.block < found->second.example.block) found->second = {use, example};
            found->second.example.count = count;
        }
    for (const auto& [key, one] : uses) {
        const EarlyUse& use = one.use;
        const EarlyUseExample& example = one.example;
        const Place at = placeOf(placeOfInstruction(use.access));
        const Place copy = placeOf(placeOfInstruction(use.copy));
        const char* const does = verb(kindOf(use.access));
        Finding finding(
            "race",
            joined("race on ", arrayName(true, use.array), " (shared): this line ", does,
                   " what the asynchronous copy of line ", copy.line, " has not finished"),
            at,
            use.ownCopy ? "Commit and wait before the access, as with __pipeline_wait_prior(0) or "
                          "the pipeline's consumer_wait(). If other threads copy, put a "
                          "__syncthreads() after the wait."
                        : "Let each thread commit its own copies and wait for them. Put a "
                          "__syncthreads() after the wait and before the access.",
            {"other side: " + text(copy) + ": " + sourceLine(copy.file, copy.line),
             joined(
                 "for example ", elementName(true, use.array, example.offset), ": thread ",
                 coordinates(example.thread, config.block), " ", does, " it, the copy is ",
                 use.ownCopy ? "its own" : "of thread " + coordinates(example.copier, config.block),
                 ", in block ", coordinates(example.block, config.grid)),
             "found " + counted(example.count, "time")});
        finding.kernel = call.name;
        finding.count = example.count;
        finding.others = {copy};
        finding.steps = {true,          use.array,      example.offset, example.block,
                         example.block, example.thread, example.copier};
        Runtime::instance().report(std::move(finding));
    }
}

}  // namespace cusim
