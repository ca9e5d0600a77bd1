#include "bench/shapes.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ostream>
#include <random>

namespace bench {

namespace {

constexpr unsigned kSeed = 20261126;
constexpr int kDrawn = 20, kLongest = 8192;

const char* text(Origin origin) {
    switch (origin) {
        case Origin::square:
            return "square";
        case Origin::known:
            return "known";
        case Origin::course:
            return "course";
        default:
            return "drawn";
    }
}

// Returns a length from 1 to 8192, each power of two as likely as the next: half of them any
// number, half of them multiples of 16.
int draw(std::mt19937& bits) {
    const double unit = bits() / 4294967296.0;
    const int length = static_cast<int>(std::exp(unit * std::log(kLongest + 1.0)));
    return bits() % 2 ? length : (length + 15) / 16 * 16;
}

}  // namespace

std::vector<ShapeRow> shapes() {
    std::vector<ShapeRow> rows;
    auto add = [&](Origin origin, int j, int k, int l) { rows.push_back({{j, k, l}, origin}); };
    for (int n : {128, 256, 384, 512, 768, 1000, 1024, 1280, 1536, 2048, 2560, 3000, 3072, 4096,
                  5000, 6144, 8192, 16384})
        add(Origin::square, n, n, n);
    const int known[][3] = {{4097, 3001, 5003}, {4096, 64, 4096}, {4096, 256, 4096},
                            {64, 4096, 4096},   {4096, 4096, 64}, {128, 16384, 128},
                            {512, 16384, 512},  {1, 4096, 4096},  {16384, 16384, 128},
                            {1023, 1025, 1027}};
    for (const auto& [j, k, l] : known) add(Origin::known, j, k, l);
    for (int j : {1, 2, 4, 8, 16, 32, 64, 128, 256, 512}) add(Origin::course, j, 3072, 3072);
    for (int k : {256, 1024, 8192})
        if (k != 256) add(Origin::course, 256, k, 256);
    add(Origin::course, 128, 32768, 128);
    add(Origin::course, 999, 1003, 1001);
    std::mt19937 bits(kSeed);
    for (int i = 0; i < kDrawn; ++i) {
        const int j = draw(bits), k = draw(bits), l = draw(bits);
        add(Origin::drawn, j, k, l);
    }
    return rows;
}

namespace {

double gigaflops(Size size, double milliseconds) { return size.operations() / milliseconds * 1e-6; }

double worse(const ShapeRow& row) {
    return std::min(row.cublasWarm / row.ownWarm, row.cublasCold / row.ownCold);
}

std::string percent(double ratio) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f %%", 100 * ratio);
    return text;
}

// Returns the geometric mean of the ratios, and how many are below 98 %, in a sentence.
std::string summary(const std::vector<ShapeRow>& rows, bool drawnOnly) {
    double logs = 0;
    int count = 0, below = 0;
    double least = 1e9;
    for (const ShapeRow& row : rows) {
        if (drawnOnly && row.origin != Origin::drawn) continue;
        for (double ratio : {row.cublasWarm / row.ownWarm, row.cublasCold / row.ownCold})
            logs += std::log(ratio) / 2;
        ++count;
        below += worse(row) < 0.98;
        least = std::min(least, worse(row));
    }
    return std::to_string(count) + " shapes: geometric mean " + percent(std::exp(logs / count)) +
           " of cuBLAS, " + std::to_string(count - below) +
           " at or over it (2 % of noise granted), least " + percent(least);
}

}  // namespace

void writeShapesCsv(std::ostream& out, const Card& card, const ShapesResult& result) {
    out << "card,driver,cuda,origin,j,k,l,cublas_warm_ms,own_warm_ms,cublas_flushed_ms,"
           "own_flushed_ms,limit_gflops\n";
    for (const ShapeRow& row : result.rows) {
        char text_[256];
        std::snprintf(text_, sizeof text_, "%d,%d,%d,%.5f,%.5f,%.5f,%.5f,%.0f", row.size.j,
                      row.size.k, row.size.l, row.cublasWarm, row.ownWarm, row.cublasCold,
                      row.ownCold, result.limit.gigaflops);
        out << card.name << ',' << card.driver << ',' << card.cuda << ',' << text(row.origin) << ','
            << text_ << '\n';
    }
}

void writeShapesMarkdown(std::ostream& out, const Card& card, const ShapesResult& result) {
    char line[256];
    std::snprintf(line, sizeof line,
                  "%s, driver %s, CUDA %s. In this run the SMs' clock was %.0f to %.0f MHz, and\n"
                  "multiply-adds on registers alone ran at %.1f TFLOP/s: the limit.\n\n",
                  card.name.c_str(), card.driver.c_str(), card.cuda.c_str(),
                  result.limit.lowestMegahertz, result.limit.highestMegahertz,
                  result.limit.gigaflops / 1000);
    out << line << "Rung 14 beside cuBLAS, " << summary(result.rows, false)
        << ".\nOf these, drawn by a seed, " << summary(result.rows, true)
        << ".\n\n| | j x k x l | cuBLAS | rung 14 | ratio | L2 flushed | of the limit |\n"
           "|---|---|---:|---:|---:|---:|---:|\n";
    for (const ShapeRow& row : result.rows) {
        const double own = gigaflops(row.size, row.ownWarm);
        std::snprintf(line, sizeof line,
                      "| %s | %d x %d x %d | %.0f | %.0f | %.1f %% | %.1f %% | %.1f %% |\n",
                      text(row.origin), row.size.j, row.size.k, row.size.l,
                      gigaflops(row.size, row.cublasWarm), own, 100 * row.cublasWarm / row.ownWarm,
                      100 * row.cublasCold / row.ownCold, 100 * own / result.limit.gigaflops);
        out << line;
    }
    out << "\nGFLOP/s, medians of paired runs. Ratio: the same inputs again and again, in the L2\n"
           "cache as far as they fit; L2 flushed: each launch has other inputs. Every product was\n"
           "exact on whole numbers, within the bound on fractions, and equal bit for bit in three\n"
           "runs.\n";
}

}  // namespace bench
