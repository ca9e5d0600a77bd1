#include "verdict/fuzz/mutation.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "matrix/format.h"

namespace fuzz {
namespace {

constexpr std::size_t kMostBytes = 1 << 12, kMostChanges = 4;

// Words on which readers decide.
const char* const kWords[] = {"0",     "-1",    "2147483648", "18446744073709551616",
                              "1e39",  "1e-46", "nan",        "inf",
                              "0x1p3", "+",     ".",          "e",
                              "\n",    "\r\n",  "\t",         " ",
                              "(",     ")",     ",",          ":",
                              "'<f8'", "'>f4'", "'|O'",       "'<i4'",
                              "True",  "False", "'shape'",    "'descr'",
                              "(4,)",  "(2,2)", "(0,)",       "()",
                              "{",     "}",     "\x93NUMPY",  "CUDA lab record 1\n",
                              "4",     "1",     "3",          "#"};

void change(std::string& text, const std::vector<std::string>& seeds, Random& random) {
    const std::size_t at = random.below(text.size() + 1), rest = text.size() - at;
    switch (random.below(9)) {
        case 0:
            if (rest > 0) text[at] = static_cast<char>(random());
            return;
        case 1:
            if (rest > 0) text[at] = static_cast<char>(text[at] ^ 1 << random.below(8));
            return;
        case 2:
            text.erase(at, random.below(std::min<std::size_t>(rest, 16) + 1));
            return;
        case 3:
            text.insert(at, text.substr(random.below(text.size() + 1), random.below(32)));
            return;
        case 4: {
            const std::string word = kWords[random.below(std::size(kWords))];
            text.replace(at, random.below(2) * std::min(rest, word.size()), word);
            return;
        }
        case 5: {
            const std::string& other = seeds[random.below(seeds.size())];
            text.insert(at, other.substr(random.below(other.size() + 1), random.below(64)));
            return;
        }
        case 6: {
            // A length or a number of four or eight bytes.
            constexpr std::uint64_t kNumbers[] = {0, 1, 0x7fffffff, 0xffffffff, ~std::uint64_t{0}};
            const std::uint64_t number = random.below(2) == 0
                                             ? kNumbers[random.below(std::size(kNumbers))]
                                             : random() % 4096;
            const std::size_t size = std::min<std::size_t>(rest, random.below(2) == 0 ? 4 : 8);
            std::memcpy(text.data() + at, &number, size);
            return;
        }
        case 7:
            if (random.below(4) == 0) text.resize(at);
            return;
        default:
            if (rest > 0) text[at] = static_cast<char>('0' + random.below(10));
            return;
    }
}

// Returns an .npy file with this dictionary and values, of a version of the format.
std::string npy(char version, const std::string& dictionary, const std::string& values) {
    std::string bytes = std::string("\x93NUMPY") + version + '\0';
    const std::string header = dictionary + "\n";
    bytes += static_cast<char>(header.size());
    bytes.append(version == 1 ? 1 : 3, '\0');
    return bytes + header + values;
}

template <class Number>
std::string bytesOf(const std::vector<Number>& values) {
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Number)};
}

matrix::Matrix small() {
    matrix::Matrix m(3, 4, 0.5F);
    m(1, 2) = -1e-40F, m(2, 3) = 3e38F, m(0, 1) = -0.0F;
    return m;
}

}  // namespace

std::string changed(const std::vector<std::string>& seeds, Random& random) {
    std::string text = seeds[random.below(seeds.size())];
    for (std::size_t i = 1 + random.below(kMostChanges); i > 0; --i) change(text, seeds, random);
    text.resize(std::min(text.size(), std::max(kMostBytes, seeds.front().size())));
    return text;
}

std::vector<std::string> rawSeeds() {
    return {matrix::formatRaw(small()), "3\n1\n2\n3\n", "2 2\r\n1. +2\r\n\r\n3e1 -4.5e-2"};
}

std::vector<std::string> npySeeds() {
    const std::string floats = bytesOf<float>({1, 2, 3, 4, 5, 6}),
                      wide = bytesOf<double>({1, -2.5});
    return {matrix::formatNpy(small()),
            npy(1, "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }", floats),
            npy(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }", wide),
            npy(2, "{'descr': '<f4', 'fortran_order': False, 'shape': (6,), }", floats),
            npy(3, "{\"shape\": (1, 2), 'fortran_order': False, 'descr': '<f8'}", wide)};
}

}  // namespace fuzz
