// Finds the loops of a source file in its text. A report helps more if it names the endless loop
// instead of the line at which the thread was stopped.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cusim {

struct Loop {
    int first = 0, last = 0;  // lines: of its keyword, and of the end of its body
};

// Returns the loops of a C++ text in the order of their keywords, so outer ones come first.
std::vector<Loop> loopsOf(std::string_view text);

// Returns the loops of the file that contain all of these lines, the innermost last; none if the
// file cannot be read.
std::vector<Loop> loopsAround(const std::string& file, const std::vector<int>& lines);

// Tests whether a thread that has passed the lower line may return to the upper one: always, unless
// both are in one kernel with no loop around them.
bool mayComeBack(const std::string& file, int upper, int lower);

// Returns a sentence about a for loop around a line whose variable is used on that line and begins
// below 0 or counts down; empty without any. Sets `at` to the loop's line.
std::string ifBelowZero(const std::string& file, int line, int& at);

// Tests whether a loop of a kernel, by its source, stores to no array and loads only from arrays of
// the kernel's parameters: then a barrier inside of it orders nothing.
bool usesNoShared(const std::string& file, const Loop& loop);

// Returns a sentence about the end of the innermost for loop around a line whose variable is an
// index there, as in [k], and may reach this one; empty without any.
std::string ifIndexOfLoop(const std::string& file, int line, long long index);

// Returns a sentence about a variable of less than 32 bits, such as a char, that the function of
// this line declares no later than there, and sets `at` to its line; empty without any.
std::string ifNarrow(const std::string& file, int line, int& at);

}  // namespace cusim
