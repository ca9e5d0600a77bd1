#include <algorithm>
#include <charconv>
#include <numeric>

#include "simulator/engine/block_runner.h"

namespace cusim {

bool Schedule::parse(const std::string& text, Schedule& schedule) {
    if (text == "forward" || text == "reverse") {
        schedule = {text == "forward" ? Forward : Reverse};
        return true;
    }
    const std::string prefix = "random:";
    if (text.rfind(prefix, 0) != 0) return false;
    const char* const end = text.data() + text.size();
    std::uint64_t seed = 0;
    const auto [rest, error] = std::from_chars(text.data() + prefix.size(), end, seed);
    if (error != std::errc{} || rest != end) return false;
    schedule = {Random, seed};
    return true;
}

std::vector<std::uint32_t> Schedule::permutation(std::uint32_t count, std::uint64_t salt) const {
    std::vector<std::uint32_t> turns(count);
    std::iota(turns.begin(), turns.end(), 0u);
    if (order == Reverse) std::reverse(turns.begin(), turns.end());
    if (order == Random) {
        // Fisher-Yates shuffle with its own draw, because the standard's distributions differ by
        // platform.
        std::mt19937_64 draw(seed * 0x9e3779b97f4a7c15ull + salt);
        for (std::uint32_t i = count; i > 1; --i) std::swap(turns[i - 1], turns[draw() % i]);
    }
    if (opposite) std::reverse(turns.begin(), turns.end());
    return turns;
}

}  // namespace cusim
