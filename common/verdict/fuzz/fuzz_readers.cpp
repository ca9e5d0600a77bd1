// Feeds changed files to the readers of matrices and records: they return values or their own
// error, accepted values stay the same when they are written and read again, and nothing else
// happens.
//
//     fuzz_readers INPUTS SEED SAMPLE [FILE...]
//
// The same seed makes the same inputs, of the FILEs (.raw, .npy, records) and of a few that the
// program writes. SAMPLE receives the .npy inputs that are read, and some others, each after its
// length and followed by the values read from it, in the same form; these are empty if the reader
// refused. Built with sanitizers, which end the program.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>

#include "matrix/format.h"
#include "matrix/input_error.h"
#include "verdict/fuzz/mutation.h"
#include "verdict/fuzz/records.h"
#include "verdict/record/record_file.h"
#include "verdict/record/report_format.h"

namespace {

constexpr unsigned kSecondsEach = 10;
constexpr std::uint64_t kSampleEvery = 64;
constexpr std::uintmax_t kMostSample = 64 << 20;

[[noreturn]] void fail(const char* what, const std::string& input) {
    std::ofstream("fuzz_failed", std::ios::binary) << input;
    std::fprintf(stderr, "%s; the input lies in fuzz_failed\n", what);
    std::abort();
}

struct Target {
    const char* name;
    bool (*accepts)(const std::string& input);  // ends the program if something is wrong
    std::vector<std::string> seeds;
    std::uint64_t inputs = 0, accepted = 0;
};

std::ofstream sample;

void keep(const std::string& bytes) {
    const auto size = static_cast<std::uint32_t>(bytes.size());
    sample.write(reinterpret_cast<const char*>(&size), sizeof size) << bytes;
}

// Returns the matrix, or null if the reader refuses the input.
template <class Parse>
std::unique_ptr<matrix::Matrix> parsed(const Parse& parse, const std::string& input) {
    try {
        return std::make_unique<matrix::Matrix>(parse(input, "x"));
    } catch (const matrix::InputError& error) {
        if (std::string(error.what()).rfind("x:", 0) != 0) fail("an error names no file", input);
        return nullptr;
    }
}

template <class Parse, class Format>
bool comesBack(const Parse& parse, const Format& format, const std::string& input) {
    const auto read = parsed(parse, input);
    if (!read) return false;
    const auto again = parsed(parse, format(*read));
    if (!again || *again != *read) fail("a matrix does not come back", input);
    return true;
}

bool acceptsRaw(const std::string& input) {
    return comesBack(matrix::parseRaw, matrix::formatRaw, input);
}

bool acceptsNpy(const std::string& input) {
    static std::uint64_t number = 0;
    const auto read = parsed(matrix::parseNpy, input);
    if ((read || ++number % kSampleEvery == 0) && sample.tellp() < std::streamoff{kMostSample})
        keep(input), keep(read ? matrix::formatNpy(*read) : "");
    return comesBack(matrix::parseNpy, matrix::formatNpy, input);
}

bool acceptsReport(const std::string& input) {
    try {
        testing::ByteReader reader(input);
        const std::string once = fuzz::bytesOf(testing::readReport(reader, fuzz::known()));
        testing::ByteReader again(once);
        if (fuzz::bytesOf(testing::readReport(again, fuzz::known())) != once)
            fail("a report does not come back", input);
        return true;
    } catch (const testing::Damaged&) {
        return false;
    }
}

bool acceptsRecord(const std::string& input) {
    const testing::RecordFile file(input);
    for (const testing::Key& key : fuzz::keys()) {
        if (const std::string_view* const call = file.call(key)) acceptsReport(std::string(*call));
        for (const std::string_view one : file.findings(key)) try {
                testing::ByteReader reader(one);
                testing::readFinding(reader);
            } catch (const testing::Damaged&) {
            }
    }
    return file.damage().empty();
}

std::string contentOf(const char* name) {
    std::ifstream in(name, std::ios::binary);
    if (!in) {
        std::fprintf(stderr, "%s: cannot be read; name a .raw, a .npy or a record\n", name);
        std::exit(2);
    }
    return {std::istreambuf_iterator<char>(in), {}};
}

bool endsIn(const std::string& name, const std::string& end) {
    return name.size() >= end.size() &&
           name.compare(name.size() - end.size(), end.size(), end) == 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 4) {
        std::fputs("usage: fuzz_readers INPUTS SEED SAMPLE [FILE...]\n", stderr);
        return 2;
    }
    const std::uint64_t inputs = std::strtoull(argv[1], nullptr, 10);
    fuzz::Random random(std::strtoull(argv[2], nullptr, 10));
    sample.open(argv[3], std::ios::binary);
    Target targets[] = {{"raw", acceptsRaw, fuzz::rawSeeds()},
                        {"npy", acceptsNpy, fuzz::npySeeds()},
                        {"report", acceptsReport, fuzz::reportSeeds()},
                        {"record", acceptsRecord, fuzz::recordSeeds()}};
    for (int i = 4; i < argc; ++i)
        targets[endsIn(argv[i], ".raw")   ? 0
                : endsIn(argv[i], ".npy") ? 1
                                          : 3]
            .seeds.push_back(contentOf(argv[i]));
    for (const Target& target : targets)
        for (const std::string& seed : target.seeds)
            if (!target.accepts(seed)) fail("a right file is refused", seed);
    for (std::uint64_t i = 0; i < inputs; ++i) {
        Target& target = targets[i % std::size(targets)];
        alarm(kSecondsEach);
        target.accepted += target.accepts(fuzz::changed(target.seeds, random));
        ++target.inputs;
    }
    for (const Target& target : targets)
        std::printf("%s: %llu inputs, %llu accepted\n", target.name,
                    static_cast<unsigned long long>(target.inputs),
                    static_cast<unsigned long long>(target.accepted));
    return 0;
}
