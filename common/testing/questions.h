// Tests of questions: an answer in a lab's answers.h beside what has been measured. No test holds
// an answer, and what a failed one says leads to a way of thinking and to no value: neither to the
// right one nor, by "too much", step by step.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <functional>
#include <sstream>
#include <string>

#include "testing/answers.h"
#include "testing/device.h"
#include "testing/lab_sim.h"

namespace questions {

// Rounded answers are right up to this part of the value: 3.3 for 10 / 3.
constexpr double kRounded = 0.015;

// "Q1" of "Q1_loads"
inline std::string numberOf(const std::string& name) { return name.substr(0, name.find('_')); }

inline bool isWord(double answer) { return answer <= yes; }

// In lines that a report can indent.
inline std::string wrapped(const std::string& text) {
    std::istringstream words(text);
    std::string out, line;
    for (std::string word; words >> word;) {
        if (!line.empty() && line.size() + 1 + word.size() > 72) {
            out += line + "\n";
            line.clear();
        }
        line += (line.empty() ? "" : " ") + word;
    }
    return out + line;
}

[[noreturn]] inline void wrong(const std::string& name, const std::string& sentences) {
    lab::fail("wrong-answer", wrapped(numberOf(name) + ": " + sentences));
}

// The kernel on which an answer is measured is not right yet.
struct KernelFirst {
    std::string why;
};
[[noreturn]] inline void kernelFirst(const std::string& why) { throw KernelFirst{why}; }

// On the usual device, whatever PROFILE= says; a measurement may choose another.
inline double measuredFor(const std::string& name, const std::function<double()>& measure) {
    const cusim::Options before = cusim::options();
    cusim::useProfile("default");
    double right = UNANSWERED;
    std::string why;
    try {
        right = measure();
    } catch (const KernelFirst& first) {
        why = first.why;
    }
    cusim::options() = before;
    if (!why.empty())
        lab::fail("kernel-first",
                  wrapped(numberOf(name) + " is measured on your kernel.cu, " + why +
                          " Finish the kernel first: make test PART=kernel says "
                          "what is missing."));
    return right;
}

// Reads an answer; fails the test where there is none yet.
inline double answerTo(const std::string& name) {
    double answer = UNANSWERED;
    lab::run(
        numberOf(name), [&] { answer = answers::valueOf(name.c_str()); }, lab::gives(answer));
    if (std::isnan(answer))
        lab::fail("unanswered", numberOf(name) + " is not answered yet: put your answer into " +
                                    "answers.h,\nin the place of UNANSWERED behind " + name + ".");
    return answer;
}

// `measure` is called where there is an answer. `pointer` says where to look, or how to think.
inline void expectNumber(const std::string& name, const std::function<double()>& measure,
                         const std::string& pointer, double rounded = 0) {
    const double answer = answerTo(name);
    if (isWord(answer)) wrong(name, "the answer is a number and no word.");
    const double right = measuredFor(name, measure);
    // Not "if it differs by more": a NaN must not pass.
    if (std::abs(answer - right) <= (rounded + 1e-9) * std::abs(right)) return;
    wrong(name, "this is not what is measured. " + pointer);
}

// The answer is a word; `choice` is how a person writes the words: "yes or no".
inline void expectWord(const std::string& name, const std::string& choice,
                       const std::function<double()>& measure, const std::string& pointer) {
    const double answer = answerTo(name);
    if (!isWord(answer)) wrong(name, "the answer is a word: " + choice + ".");
    if (answer != measuredFor(name, measure)) wrong(name, "it is not so. " + pointer);
}

// Calls student code and hands out what the simulated device saw of its launch; what is wrong with
// the call is for the kernel's own tests to explain.
inline const cusim::LaunchReport& launchOf(const std::function<void()>& studentCode,
                                           const lab::Outputs& outputs) {
    device::reset();
    const device::Outcome outcome = device::runQuietly(studentCode, outputs);
    if (outcome.how != device::Outcome::Returned || !outcome.problems.empty())
        kernelFirst("which does not run without findings yet.");
    if (cusim::launches().empty()) kernelFirst("which is not launched yet.");
    return cusim::launches().front();
}

}  // namespace questions
