#include "testing/other_widths_sim.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <set>
#include <sstream>

#include "matrix/compare.h"
#include "simulator/findings/own_files.h"
#include "simulator/findings/source_lines.h"
#include "testing/device.h"
#include "testing/environment.h"
#include "testing/lab_sim.h"
#include "testing/role.h"

namespace lab {
namespace {

bool isOfWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// Returns the whole numbers on a line of source, without those in its comment; none on the line
// that defines TILE_WIDTH.
std::set<unsigned long> numbersOn(std::string line) {
    std::set<unsigned long> numbers;
    line.resize(std::min(line.find("//"), line.size()));
    if (line.find("define TILE_WIDTH") != line.npos) return numbers;
    for (std::size_t at = 0; at < line.size(); ++at) {
        if (!isOfWord(line[at])) continue;
        std::size_t end = at;
        while (end < line.size() && isOfWord(line[end])) ++end;
        const bool whole = line[at] >= '0' && line[at] <= '9' &&
                           line[std::min(end, line.size() - 1)] != '.' &&
                           (at == 0 || line[at - 1] != '.');
        if (whole) numbers.insert(std::strtoul(line.c_str() + at, nullptr, 0));
        at = end;
    }
    return numbers;
}

// Returns the path of the file under test. Beside the grader's program, which judges a record, is
// the course's own file.
std::string pathOf(const std::string& file) {
    const std::string end = "/" + file;
    for (const std::string& own : cusim::ownFiles())
        if (own.size() > end.size() && own.substr(own.size() - end.size()) == end) return own;
    return file;
}

// Returns the first line with a number that fits only TILE_WIDTH 16: 16 itself, or a number
// computed from it. Line 0 if there is none.
std::pair<int, unsigned long> numberOf16(const std::string& file) {
    const std::string source = cusim::sourceText(file);
    for (const unsigned long number : {16, 256, 15, 17, 255, 272, 32, 512, 64, 1024, 2048, 8, 4}) {
        std::istringstream text(source);
        int at = 1;
        for (std::string line; std::getline(text, line); ++at)
            if (numbersOn(line).count(number)) return {at, number};
    }
    return {};
}

}  // namespace

void expectOtherWidths(const Text& about, int Width, const SquareMultiply& with8,
                       const SquareMultiply& with32) {
    const device::WithoutWarps withoutWarps;
    const matrix::DataSet set = integers(square(Width));
    for (const int width : {8, 32}) {
        matrix::Matrix P = matrix::poisoned(Width, Width);
        device::reset();
        const device::Outcome end = device::runQuietly(gives(P).from(set.M, set.N), [&] {
            (width == 8 ? with8 : with32)(set.M.data(), set.N.data(), P.data(), Width);
        });
        // The file's blocks may have more threads than TILE_WIDTH^2.
        const bool isRefused = std::any_of(
            end.problems.begin(), end.problems.end(),
            [](const device::Problem& one) { return one.finding.kind == "invalid-launch"; });
        if (isRefused || (end.how == end.Returned && isRight({set, P}))) continue;
        const std::string file = testing::fromEnvironment("LAB_KERNEL");
        const auto [line, number] = numberOf16(pathOf(file));
        const char* const what =
            line == 0      ? "Does a number in the file hold for TILE_WIDTH 16 only?"
            : number == 16 ? "Line {} has the number {}: write TILE_WIDTH."
                           : "Does line {} hold for TILE_WIDTH 16 only, with\nthe number {}? "
                             "Compute it from TILE_WIDTH.";
        fail({{"fixed-tile-width", {line ? file : "", line}}},
             filled("{}: with TILE_WIDTH {} the product is wrong (make test TILE_WIDTH={}\nshows "
                    "more). {}",
                    about, width, width, line ? filled(what, line, number) : Text(what)));
    }
}

}  // namespace lab
