#include "harness/chosen_sets.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "harness/text.h"
#include "matrix/catalog.h"
#include "matrix/input_error.h"

namespace harness {
namespace {

namespace fs = std::filesystem;
using matrix::InputError;

// The width of the set for a program without arguments: no usual tile divides it, so guards matter.
// Then the width of the set for a trace.
constexpr int kDefaultWidth = 100, kTracedWidth = 16;

// Returns the set whose width is next to this one; real-valued if possible.
const matrix::SetSpec& specNear(int Width, const std::vector<matrix::SetSpec>& specs) {
    const auto distance = [Width](const matrix::SetSpec& spec) {
        return 2 * std::abs(spec.j - Width) + (spec.pattern == matrix::Pattern::Uniform ? 0 : 1);
    };
    return *std::min_element(specs.begin(), specs.end(),
                             [&](const matrix::SetSpec& a, const matrix::SetSpec& b) {
                                 return distance(a) < distance(b);
                             });
}

// Returns the sets of the catalogue that the lab does not refuse, by name: all for a table, else
// the one next to this width.
std::vector<ProductSet> catalogueFor(const Lab& lab, bool table, int Width = kDefaultWidth) {
    std::vector<matrix::SetSpec> specs;
    const auto offer = [&](const std::vector<matrix::SetSpec>& offered) {
        for (const matrix::SetSpec& spec : offered)
            if (lab.refusal(spec.j, spec.k, spec.l).empty()) specs.push_back(spec);
    };
    offer(matrix::squareSets());
    if (table) offer(matrix::rectangularSets());
    if (specs.empty())
        throw InputError("no set of the catalogue fits: " + std::string(lab.name) + " " +
                         lab.refusal(1, 1, 1) + "; give a set with --set");
    if (!table) specs = {specNear(Width, specs)};
    std::sort(specs.begin(), specs.end(),
              [](const matrix::SetSpec& a, const matrix::SetSpec& b) { return a.name < b.name; });
    std::vector<ProductSet> sets;
    sets.reserve(specs.size());
    for (const matrix::SetSpec& spec : specs) sets.push_back(fromCatalogue(spec));
    return sets;
}

std::string folderName(const std::string& folder) {
    const fs::path path = fs::path(folder).lexically_normal();
    const fs::path last = path.has_filename() ? path.filename() : path.parent_path().filename();
    return last.empty() ? folder : last.string();
}

class Choice {
  public:
    Choice(const CommandLine& line, const Lab& lab) : line_(line), lab_(lab) {}

    std::vector<ProductSet> sets() {
        if (!line_.inputM.empty())
            add(fromFiles(line_.inputM + "," + line_.inputN, line_.inputM, line_.inputN,
                          line_.expected),
                line_.table);
        for (const std::string& folder : line_.folders)
            add(fromFolder(folderName(folder), folder), line_.table);
        for (const std::string& parent : line_.parents)
            for (const std::string& below : setFoldersBelow(parent))
                add(fromFolder(below == "." ? folderName(parent) : below,
                               (fs::path(parent) / below).string()),
                    true);
        if (sets_.empty()) throw InputError(std::string("none of these sets fits: ") + refused_);
        if (line_.table)
            std::stable_sort(
                sets_.begin(), sets_.end(),
                [](const ProductSet& a, const ProductSet& b) { return a.name < b.name; });
        return std::move(sets_);
    }

  private:
    void add(ProductSet set, bool maySkip) {
        const std::string refusal = lab_.refusal(set.j(), set.k(), set.l());
        if (refusal.empty()) {
            sets_.push_back(std::move(set));
            return;
        }
        refused_ = set.name + " is " + product(set.j(), set.k(), set.l()) + ", and " + lab_.name +
                   " " + refusal + "; give another set";
        if (!maySkip) throw InputError(refused_);
    }

    const CommandLine& line_;
    const Lab& lab_;
    std::vector<ProductSet> sets_;
    std::string refused_;  // a sentence about the last refused set
};

}  // namespace

std::vector<ProductSet> chosenSets(const CommandLine& line, const Lab& lab) {
    if (line.namesSets()) return Choice(line, lab).sets();
    return catalogueFor(lab, line.table);
}

ProductSet setToTrace(const Lab& lab) {
    return std::move(catalogueFor(lab, false, kTracedWidth).front());
}

}  // namespace harness
