// Generates the data sets that the labs are tested on. `generate --help` lists the options;
// README.md in this folder describes the sets.

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <map>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "matrix/catalog.h"
#include "matrix/file_io.h"
#include "matrix/format.h"
#include "matrix/input_error.h"
#include "matrix/reference.h"

namespace {

namespace fs = std::filesystem;
using matrix::InputError;
using matrix::SetSpec;

constexpr int kWrongUsage = 2;

constexpr const char* kHelp =
    "generate [--out DIR] [--list] [--seed N] [--shape j,k,l [--pattern NAME]]\n"
    "\n"
    "Makes data sets, a folder each: input0.raw, input1.raw, output.raw, about.json.\n"
    "Sets that are there already, complete and the same, are left alone.\n"
    "\n"
    "  --out DIR       where the folders go (build/datasets)\n"
    "  --list          names the sets of the catalogue and makes nothing\n"
    "  --shape j,k,l   one set instead of the catalogue: j x k times k x l\n"
    "  --pattern NAME  its values (uniform): integers, uniform, identity, ramp,\n"
    "                  sparse or wide\n"
    "  --seed N        its seed (1); without --shape N is added to every seed of\n"
    "                  the catalogue (0)\n"
    "  --help          prints this\n"
    "\n"
    "Exit status: 0 all sets are there; 2 wrong usage, or a folder that cannot be\n"
    "written.\n";

struct Options {
    std::string out = "build/datasets", seed, shape, pattern;
    bool list = false, help = false;
};

const std::map<std::string, bool Options::*> kFlags = {
    {"--help", &Options::help}, {"-h", &Options::help}, {"--list", &Options::list}};
const std::map<std::string, std::string Options::*> kValues = {{"--out", &Options::out},
                                                               {"--seed", &Options::seed},
                                                               {"--shape", &Options::shape},
                                                               {"--pattern", &Options::pattern}};

Options parseOptions(const std::vector<std::string>& words) {
    Options options;
    for (auto word = words.begin(); word != words.end(); ++word) {
        if (const auto flag = kFlags.find(*word); flag != kFlags.end()) {
            options.*flag->second = true;
            continue;
        }
        const auto target = kValues.find(*word);
        if (target == kValues.end())
            throw InputError("'" + *word + "' is no option of generate; see generate --help");
        const auto value = word + 1;
        if (value == words.end() || value->empty())
            throw InputError(*word + " needs a value after it; see generate --help");
        options.*target->second = *value;
        word = value;
    }
    if (!options.pattern.empty() && options.shape.empty())
        throw InputError("--pattern is for a single set; give --shape j,k,l as well");
    return options;
}

std::uint64_t parseSeed(const std::string& text, std::uint64_t otherwise) {
    if (text.empty()) return otherwise;
    std::uint64_t seed = 0;
    const char* end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, seed);
    if (result.ec != std::errc() || result.ptr != end)
        throw InputError("'" + text + "' is no seed; give a whole number from 0 to 2^64 - 1");
    return seed;
}

// A larger matrix would take gigabytes as text.
constexpr std::int64_t kMostValues = std::int64_t{1} << 27;

SetSpec parseShape(const Options& options) {
    const std::string& text = options.shape;
    const std::string remedy = "; give three sizes from 1 on, such as --shape 67,41,29";
    int sizes[3] = {};
    const char* at = text.data();
    const char* end = at + text.size();
    for (int i = 0; i < 3; ++i) {
        const auto result = std::from_chars(at, end, sizes[i]);
        const bool separated = i == 2 ? result.ptr == end : result.ptr != end && *result.ptr == ',';
        if (result.ec != std::errc() || sizes[i] < 1 || !separated)
            throw InputError("'" + text + "' is no shape" + remedy);
        at = result.ptr + (i < 2 ? 1 : 0);
    }
    const auto [j, k, l] = sizes;
    if (k >= 1 << 23)
        throw InputError("the shape " + text + " has too large a k; keep it below 8388608");
    if (std::int64_t{j} * k > kMostValues || std::int64_t{k} * l > kMostValues ||
        std::int64_t{j} * l > kMostValues)
        throw InputError("the shape " + text +
                         " is too large; keep each matrix to 134217728 values");
    const matrix::Pattern pattern =
        matrix::parsePattern(options.pattern.empty() ? "uniform" : options.pattern);
    return {matrix::setName(j, k, l, pattern), j, k, l, pattern, parseSeed(options.seed, 1)};
}

std::vector<SetSpec> catalogue(const Options& options) {
    std::vector<SetSpec> sets = matrix::squareSets();
    const std::vector<SetSpec>& rectangular = matrix::rectangularSets();
    sets.insert(sets.end(), rectangular.begin(), rectangular.end());
    for (SetSpec& spec : sets) spec.seed += parseSeed(options.seed, 0);
    return sets;
}

std::string about(const SetSpec& spec) {
    return "{\n  \"name\": \"" + spec.name + "\",\n  \"shape\": {\"j\": " + std::to_string(spec.j) +
           ", \"k\": " + std::to_string(spec.k) + ", \"l\": " + std::to_string(spec.l) +
           "},\n  \"pattern\": \"" + matrix::name(spec.pattern) +
           "\",\n  \"seed\": " + std::to_string(spec.seed) +
           ",\n  \"exact\": " + (matrix::isExact(spec.pattern, spec.k) ? "true" : "false") +
           "\n}\n";
}

// Returns whether a set is complete: about.json is written last, so it must be there and match.
bool isComplete(const fs::path& folder, const SetSpec& spec) {
    for (const char* file : {"input0.raw", "input1.raw", "output.raw", "about.json"}) {
        std::error_code error;
        if (!fs::is_regular_file(folder / file, error)) return false;
        if (fs::file_size(folder / file, error) == 0 || error) return false;
    }
    return matrix::readFile((folder / "about.json").string()) == about(spec);
}

matrix::Matrix rounded(const matrix::Reference& reference) {
    matrix::Matrix product(reference.rows, reference.cols);
    for (std::size_t i = 0; i < product.size(); ++i)
        product.data()[i] = static_cast<float>(reference.product[i]);
    return product;
}

void makeSet(const fs::path& folder, const SetSpec& spec) {
    constexpr double kLarge = 4e6;
    const bool large = static_cast<double>(spec.j) * spec.k * spec.l >= kLarge;
    if (large) std::fprintf(stderr, "making %s ...\n", spec.name.c_str());
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
        throw InputError(folder.string() + ": cannot be made (" + error.message() +
                         "); name a folder that may be written to with --out");
    // The older about.json would say that files about to change are complete.
    fs::remove(folder / "about.json", error);
    const matrix::DataSet set = matrix::build(spec);
    matrix::writeMatrix((folder / "input0.raw").string(), set.M);
    matrix::writeMatrix((folder / "input1.raw").string(), set.N);
    matrix::writeMatrix((folder / "output.raw").string(), rounded(matrix::multiply(set.M, set.N)));
    matrix::writeFileAtomically((folder / "about.json").string(), about(spec));
}

void list(const std::vector<SetSpec>& sets) {
    for (const SetSpec& spec : sets)
        std::printf("%-30s %4d x %4d times %4d x %4d%s\n", spec.name.c_str(), spec.j, spec.k,
                    spec.k, spec.l, matrix::isExact(spec.pattern, spec.k) ? "  exact" : "");
}

void run(const std::vector<std::string>& words) {
    const Options options = parseOptions(words);
    if (options.help) {
        std::fputs(kHelp, stdout);
        return;
    }
    const std::vector<SetSpec> sets =
        options.shape.empty() ? catalogue(options) : std::vector<SetSpec>{parseShape(options)};
    if (options.list) {
        list(sets);
        return;
    }
    std::size_t made = 0;
    for (const SetSpec& spec : sets) {
        const fs::path folder = fs::path(options.out) / spec.name;
        if (isComplete(folder, spec)) continue;
        makeSet(folder, spec);
        ++made;
    }
    if (!options.shape.empty()) {
        std::printf("%s\n", sets[0].name.c_str());
    } else {
        std::printf("%zu sets in %s: %zu made, %zu there already\n", sets.size(),
                    options.out.c_str(), made, sets.size() - made);
    }
}

}  // namespace

int main(int argc, char** argv) {
    try {
        run(std::vector<std::string>(argv + 1, argv + argc));
        return 0;
    } catch (const std::bad_alloc&) {
        std::fputs("generate: memory ran out; choose a smaller --shape\n", stderr);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "generate: %s\n", error.what());
    }
    return kWrongUsage;
}
