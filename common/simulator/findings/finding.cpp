#include "simulator/findings/finding.h"

#include <array>
#include <filesystem>

#include "simulator/findings/coordinates.h"
#include "simulator/findings/source_lines.h"
#include "text/json.h"

namespace cusim {
namespace {

// Indented paragraph; reports of tests indent it by 7 more, to at most 80 columns.
std::string wrapped(const std::string& label, const std::string& words) {
    constexpr std::size_t width = 73;
    std::string out, line = "    " + label;
    std::size_t start = 0;
    while (start <= words.size()) {
        std::size_t end = words.find(' ', start);
        if (end == std::string::npos) end = words.size();
        const std::string word = words.substr(start, end - start);
        if (line.size() + 1 + word.size() > width && line.find_first_not_of(' ') != line.npos) {
            out += line + "\n";
            line = "      " + word;
        } else {
            if (line.back() != ' ') line += ' ';
            line += word;
        }
        start = end + 1;
    }
    return out + line + "\n";
}

struct Colours {
    const char *place, *title, *remedy, *end;
};
constexpr Colours kPlain{"", "", "", ""};
constexpr Colours kTerminal{"\033[1m", "\033[1;31m", "\033[36m", "\033[0m"};

std::string written(const Finding& finding, const Colours& colours) {
    std::string out;
    if (!finding.file.empty())
        out += colours.place + text(Place{finding.file, finding.line}) + ":" + colours.end + " ";
    out += colours.title + finding.title + colours.end + "\n";
    const std::string source =
        finding.source ? *finding.source : sourceLine(finding.file, finding.line);
    if (!source.empty()) {
        const std::string number = std::to_string(finding.line);
        out += joined(std::string(number.size() < 5 ? 5 - number.size() : 0, ' '), number, " | ",
                      source, "\n");
    }
    if (finding.inThread)
        out += "    in " + finding.kernel + ", thread " + coordinates(finding.thread) +
               " of block " + coordinates(finding.block) + "\n";
    else if (!finding.kernel.empty())
        out += "    in " + finding.kernel + "\n";
    for (const std::string& detail : finding.details) out += wrapped("", detail);
    if (!finding.remedy.empty())
        out += colours.remedy + wrapped("Remedy:", finding.remedy) + colours.end;
    return out;
}

std::array<unsigned, 3> triple(const uint3& index) { return {index.x, index.y, index.z}; }

}  // namespace

std::string text(const Place& place) {
    std::string folder;
    if (place.file.compare(0, 1, "/") == 0) folder = std::filesystem::current_path().string() + "/";
    const bool below = !folder.empty() && place.file.compare(0, folder.size(), folder) == 0;
    return joined(below ? place.file.substr(folder.size()) : place.file, ":", place.line);
}

std::string text(const Finding& finding) { return written(finding, kPlain); }
std::string colouredText(const Finding& finding) { return written(finding, kTerminal); }

std::string json(const Finding& finding) {
    ::json::Object out;
    out.add("kind", finding.kind).add("title", finding.title).add("file", finding.file);
    out.add("line", finding.line).add("count", finding.count);
    if (finding.remark) out.add("remark", true);
    if (!finding.kernel.empty()) out.add("kernel", finding.kernel);
    if (finding.inThread)
        out.add("thread", triple(finding.thread)).add("block", triple(finding.block));
    return out.add("details", finding.details).add("remedy", finding.remedy).text();
}

}  // namespace cusim
