#include "harness/text.h"

#include <cmath>
#include <cstdio>

namespace harness {

std::string grouped(std::uint64_t n) {
    std::string digits = std::to_string(n);
    for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
    return digits;
}

std::string errorSize(double value) {
    if (value == 0.0) return "0";
    if (!std::isfinite(value)) return std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
    if (std::fabs(value) >= 0.0995 && std::fabs(value) < 99999.5) return plain(value);
    char text[32];
    std::snprintf(text, sizeof text, "%.1e", value);
    const std::string all = text;
    const std::size_t e = all.find('e');
    return all.substr(0, e) + "e" + std::to_string(std::stoi(all.substr(e + 1)));
}

std::string plain(double value) {
    if (value >= 1000) return grouped(static_cast<std::uint64_t>(std::llround(value)));
    char text[32];
    std::snprintf(text, sizeof text, value < 0.995 ? "%.2f" : "%.1f", value);
    return text;
}

std::string product(int j, int k, int l) {
    return std::to_string(j) + " x " + std::to_string(k) + " times " + std::to_string(k) + " x " +
           std::to_string(l);
}

std::string left(const std::string& text, std::size_t width) {
    return text + std::string(text.size() < width ? width - text.size() : 0, ' ');
}

std::string right(const std::string& text, std::size_t width) {
    return std::string(text.size() < width ? width - text.size() : 0, ' ') + text;
}

std::string cutEnd(const std::string& text, std::size_t width) {
    return text.size() <= width || width < 2 ? text : text.substr(0, width - 2) + "..";
}

std::string cutBeginning(const std::string& text, std::size_t width) {
    return text.size() <= width || width < 2 ? text : ".." + text.substr(text.size() - width + 2);
}

}  // namespace harness
