#include "bench/report.h"

#include <cstdio>
#include <ostream>

namespace bench {

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

std::string text(Size size) {
    if (size.j == size.k && size.k == size.l) return std::to_string(size.j);
    return std::to_string(size.j) + "x" + std::to_string(size.k) + "x" + std::to_string(size.l);
}

double share(const Measurement& row, const Measurement& whole) {
    return row.gigaflops() / whole.gigaflops();
}

void writeCard(std::ostream& out, const Card& card) {
    out << card.name << ", " << card.sms << " SMs at up to "
        << format("%.0f MHz", card.gigahertz * 1000) << ", driver " << card.driver << ", CUDA "
        << card.cuda << ".\nArithmetic peak " << grouped(card.peakGigaflops)
        << " GFLOP/s in float32 without tensor cores, memory " << grouped(card.memoryGigabytes)
        << " GB/s, L2\ncache " << format("%.0f", card.l2Bytes / (1 << 20)) << " MB.\n";
}

void writeAllSizes(std::ostream& out, const Results& results) {
    out << "| kernel |";
    for (const auto& rows : results) out << ' ' << text(rows[0].size) << " |";
    out << "\n|---|";
    for (std::size_t i = 0; i < results.size(); ++i) out << "---:|";
    out << '\n';
    for (std::size_t i = 0; i < results[0].size(); ++i) {
        out << "| " << results[0][i].kernel << " |";
        for (const auto& rows : results)
            out << ' ' << (rows[i].leftOut ? "-" : grouped(rows[i].gigaflops())) << " |";
        out << '\n';
    }
}

void writeShares(std::ostream& out, const Card& card, const std::vector<Measurement>& rows) {
    out << "| kernel | ms | GFLOP/s | of cuBLAS | of the peak | GB asked for |\n"
           "|---|---:|---:|---:|---:|---:|\n";
    for (const Measurement& row : rows) {
        if (row.leftOut) continue;
        out << "| " << row.kernel << format(" | %.3f", row.milliseconds) << " | "
            << grouped(row.gigaflops())
            << format(" | %.1f %% | %.1f %% | ", 100 * share(row, rows[0]),
                      100 * row.gigaflops() / card.peakGigaflops)
            << (row.requestedBytes > 0 ? format("%.2f", row.requestedBytes * 1e-9) : "-") << " |\n";
    }
}

}  // namespace

void writeCsv(std::ostream& out, const Card& card, const Results& results) {
    out << "card,driver,cuda,kernel,j,k,l,milliseconds,gflops,share_of_cublas,share_of_peak,"
           "requested_bytes,spread,runs\n";
    for (const auto& rows : results) {
        for (const Measurement& row : rows) {
            const auto [j, k, l] = row.size;
            out << card.name << ',' << card.driver << ',' << card.cuda << ',' << row.kernel << ','
                << j << ',' << k << ',' << l << ',';
            if (!row.leftOut)
                out << format("%.5f,%.1f,%.4f,%.4f", row.milliseconds, row.gigaflops(),
                              share(row, rows[0]), row.gigaflops() / card.peakGigaflops);
            else
                out << ",,,";
            out << ',' << (row.requestedBytes > 0 ? format("%.0f", row.requestedBytes) : "") << ','
                << (row.leftOut ? "," : format("%.4f,%d", row.spread, row.runs)) << '\n';
        }
    }
}

void writeMarkdown(std::ostream& out, const Card& card, const Results& results) {
    writeCard(out, card);
    out << "\nGFLOP/s, the median of repeated runs on random matrices; N for N x N times N x N,\n"
           "else j x k times k x l (-: one run takes over half a second, left out):\n\n";
    writeAllSizes(out, results);
    for (const auto& rows : results) {
        if (rows[0].size.j != 4096 || rows[0].size.l != 4096) continue;
        out << "\nN = 4096:\n\n";
        writeShares(out, card, rows);
    }
    out << "\ncuBLAS is cublasSgemm with CUBLAS_PEDANTIC_MATH. Every product was compared with\n"
           "inner products in double.\n";
    for (const auto& rows : results)
        for (const Measurement& row : rows)
            if (row.spread > kLargeSpread)
                out << "Runs of " << row.kernel << " at " << text(row.size) << " differ by "
                    << format("%.0f", 100 * row.spread) << " %: measure again on a quiet card.\n";
}

}  // namespace bench
