// Formats numbers and columns for people.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace harness {

// Returns digits in groups of three: "33,554,432"
std::string grouped(std::uint64_t n);

// Returns an error or a bound with about two digits: "2.3e-7", "4.5", "0", "inf".
std::string errorSize(double value);

// Returns a ratio or a time with about three digits: "0.12", "1.0", "16.0", "1,234".
std::string plain(double value);

// Returns the shapes of both factors: "3 x 4 times 4 x 5"
std::string product(int j, int k, int l);

// Pad text with blanks to width; longer text stays as it is.
std::string left(const std::string& text, std::size_t width);
std::string right(const std::string& text, std::size_t width);

// Shorten text to width characters: dots replace the end (or the beginning) of longer text.
std::string cutEnd(const std::string& text, std::size_t width);
std::string cutBeginning(const std::string& text, std::size_t width);

}  // namespace harness
