// Findings for programs.
#include <array>

#include "simulator/findings/finding.h"
#include "text/json.h"

namespace cusim {
namespace {

std::array<unsigned, 3> triple(const uint3& index) { return {index.x, index.y, index.z}; }

}  // namespace

std::string json(const Finding& finding) {
    ::json::Object out;
    out.add("kind", finding.kind).add("title", finding.title).add("file", finding.file);
    out.add("line", finding.line).add("count", finding.count);
    if (!finding.kernel.empty()) out.add("kernel", finding.kernel);
    if (finding.inThread)
        out.add("thread", triple(finding.thread)).add("block", triple(finding.block));
    return out.add("details", finding.details).add("remedy", finding.remedy).text();
}

}  // namespace cusim
