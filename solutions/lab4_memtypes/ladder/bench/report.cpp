#include "bench/report.h"

#include <algorithm>
#include <cstdio>
#include <ostream>
#include <string>

namespace bench {

const char* const kYardstick = "cuBLAS";

namespace {

constexpr double kLargeSpread = 0.05;

template <class... Values>
std::string format(const char* how, Values... values) {
    char text[256];
    std::snprintf(text, sizeof text, how, values...);
    return text;
}

// Returns 12345.6 as 12,346.
std::string grouped(double value) {
    std::string digits = format("%.0f", value);
    for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) digits.insert(at, ",");
    return digits;
}

bool same(Size a, Size b) { return a.j == b.j && a.k == b.k && a.l == b.l; }

std::string text(Size size) {
    if (size.j == size.k && size.k == size.l) return std::to_string(size.j);
    return std::to_string(size.j) + "x" + std::to_string(size.k) + "x" + std::to_string(size.l);
}

const Measurement* find(const std::vector<Measurement>& rows, const std::string& kernel,
                        Size size) {
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const Measurement& row) {
        return row.kernel == kernel && same(row.size, size) && !row.leftOut;
    });
    return found == rows.end() ? nullptr : &*found;
}

double shareOfYardstick(const std::vector<Measurement>& rows, const Measurement& row) {
    const Measurement* yardstick = find(rows, kYardstick, row.size);
    return yardstick ? row.gigaflops() / yardstick->gigaflops() : 0;
}

std::vector<Size> sizesOf(const std::vector<Measurement>& rows) {
    std::vector<Size> sizes;
    for (const Measurement& row : rows)
        if (row.kernel == kYardstick) sizes.push_back(row.size);
    return sizes;
}

std::vector<std::string> kernelsOf(const std::vector<Measurement>& rows) {
    std::vector<std::string> kernels;
    for (const Measurement& row : rows)
        if (std::find(kernels.begin(), kernels.end(), row.kernel) == kernels.end())
            kernels.push_back(row.kernel);
    return kernels;
}

void writeCard(std::ostream& out, const Card& card) {
    out << card.name << ", " << card.sms << " SMs at up to "
        << format("%.0f MHz", card.gigahertz * 1000) << ", driver " << card.driver << ", CUDA "
        << card.cuda << ".\nArithmetic peak " << grouped(card.peakGigaflops)
        << " GFLOP/s in float32 without tensor cores, memory " << grouped(card.memoryGigabytes)
        << " GB/s, L2\ncache " << format("%.0f", card.l2Bytes / (1 << 20)) << " MB.\n";
}

void writeAllSizes(std::ostream& out, const std::vector<Measurement>& rows) {
    out << "| kernel |";
    for (Size size : sizesOf(rows)) out << ' ' << text(size) << " |";
    out << "\n|---|";
    for (std::size_t i = 0; i < sizesOf(rows).size(); ++i) out << "---:|";
    out << '\n';
    for (const std::string& kernel : kernelsOf(rows)) {
        out << "| " << kernel << " |";
        for (Size size : sizesOf(rows)) {
            const Measurement* row = find(rows, kernel, size);
            out << ' ' << (row ? grouped(row->gigaflops()) : "-") << " |";
        }
        out << '\n';
    }
}

void writeShares(std::ostream& out, const Card& card, const std::vector<Measurement>& rows,
                 Size size) {
    out << "| kernel | ms | GFLOP/s | of cuBLAS | of the peak | GB asked for |\n"
           "|---|---:|---:|---:|---:|---:|\n";
    for (const std::string& kernel : kernelsOf(rows)) {
        const Measurement* row = find(rows, kernel, size);
        if (!row) continue;
        out << "| " << kernel << format(" | %.3f", row->milliseconds) << " | "
            << grouped(row->gigaflops())
            << format(" | %.1f %% | %.1f %% | ", 100 * shareOfYardstick(rows, *row),
                      100 * row->gigaflops() / card.peakGigaflops)
            << (row->requestedBytes > 0 ? format("%.2f", row->requestedBytes * 1e-9) : "-")
            << " |\n";
    }
}

}  // namespace

void writeCsv(std::ostream& out, const Card& card, const std::vector<Measurement>& rows) {
    out << "card,driver,cuda,kernel,j,k,l,milliseconds,gflops,share_of_cublas,share_of_peak,"
           "requested_bytes,spread,runs\n";
    for (const Measurement& row : rows) {
        out << card.name << ',' << card.driver << ',' << card.cuda << ',' << row.kernel << ','
            << row.size.j << ',' << row.size.k << ',' << row.size.l << ',';
        if (row.leftOut)
            out << ",,,";
        else
            out << format("%.5f,%.1f,%.4f,%.4f", row.milliseconds, row.gigaflops(),
                          shareOfYardstick(rows, row), row.gigaflops() / card.peakGigaflops);
        out << ',' << (row.requestedBytes > 0 ? format("%.0f", row.requestedBytes) : "") << ','
            << (row.leftOut ? "," : format("%.4f,%d", row.spread, row.runs)) << '\n';
    }
}

void writeMarkdown(std::ostream& out, const Card& card, const std::vector<Measurement>& rows) {
    writeCard(out, card);
    out << "\nGFLOP/s, the median of repeated runs on random matrices; N for N x N times N x N,\n"
           "else j x k times k x l (-: one run takes over a second, left out):\n\n";
    writeAllSizes(out, rows);
    for (Size size : sizesOf(rows)) {
        if (size.j != 4096 || size.l != 4096) continue;
        out << "\nN = 4096:\n\n";
        writeShares(out, card, rows, size);
    }
    out << "\ncuBLAS is cublasSgemm with CUBLAS_PEDANTIC_MATH. Every product was compared with\n"
           "inner products in double.\n";
    for (const Measurement& row : rows)
        if (row.spread > kLargeSpread)
            out << "Runs of " << row.kernel << " at " << text(row.size) << " differ by "
                << format("%.0f", 100 * row.spread) << " %: measure again on a quiet card.\n";
}

}  // namespace bench
