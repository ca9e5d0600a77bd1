#include "harness/chosen_sets.h"

#include <algorithm>
#include <filesystem>

#include "harness/text.h"
#include "matrix/input_error.h"

namespace harness {
namespace {

namespace fs = std::filesystem;
using matrix::InputError;

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
        if (sets_.empty())
            throw InputError(std::string("none of these sets is square, and ") + lab_.name +
                             " multiplies square matrices only; give a square set");
        if (line_.table)
            std::stable_sort(
                sets_.begin(), sets_.end(),
                [](const ProductSet& a, const ProductSet& b) { return a.name < b.name; });
        return std::move(sets_);
    }

  private:
    void add(ProductSet set, bool maySkip) {
        if (!lab_.square || set.square()) {
            sets_.push_back(std::move(set));
        } else if (!maySkip) {
            throw InputError(set.name + " is " + product(set.j(), set.k(), set.l()) + ", and " +
                             lab_.name +
                             " multiplies square matrices of one width only; give a square set");
        }
    }

    const CommandLine& line_;
    const Lab& lab_;
    std::vector<ProductSet> sets_;
};

}  // namespace

std::vector<ProductSet> chosenSets(const CommandLine& line, const Lab& lab) {
    if (line.namesSets()) return Choice(line, lab).sets();
    if (line.table) return catalogue(lab.square);
    std::vector<ProductSet> one;
    one.push_back(defaultSet());
    return one;
}

}  // namespace harness
