// Tests of questions compare an answer in a lab's answers.h with a measurement. No test holds an
// answer. A failed one says how to think and gives away no value, not even by "too much".
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <functional>
#include <numeric>
#include <sstream>
#include <string>

#include "matrix/compare.h"
#include "testing/answers.h"
#include "testing/device.h"
#include "testing/lab_sim.h"

namespace questions {

// The part of the value by which a rounded answer may be off: 3.3 is right for 10 / 3.
constexpr double kRounded = 0.015;

// Returns "Q1" for "Q1_loads".
inline std::string numberOf(const std::string& name) { return name.substr(0, name.find('_')); }

inline bool isWord(double answer) { return answer <= yes; }

// Breaks a text into lines of 72 columns, which a report can indent.
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

// Fails the test because of a wrong answer.
[[noreturn]] inline void wrong(const std::string& name, const std::string& sentences) {
    lab::fail("wrong-answer", "{}", wrapped(numberOf(name) + ": " + sentences));
}

// Thrown where the kernel on which an answer is measured is not right yet.
struct KernelFirst {
    std::string why;
};
[[noreturn]] inline void kernelFirst(const std::string& why) { throw KernelFirst{why}; }

// Returns the measured value. Measures on the default device, whatever PROFILE= says, unless the
// measurement chooses another. Fails the test if the kernel is not right yet.
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
        lab::fail("kernel-first", "{}",
                  wrapped(numberOf(name) + " is measured on your kernel.cu, " + why +
                          " Finish the kernel first: make test PART=kernel says what is missing."));
    return right;
}

// Returns the answer of this name; fails the test if there is none yet.
inline double answerTo(const std::string& name) {
    double answer = UNANSWERED;
    lab::run(numberOf(name), lab::gives(answer), [&] { answer = answers::valueOf(name.c_str()); });
    if (std::isnan(answer))
        lab::fail(
            "unanswered",
            "{} is not answered yet. In answers.h, replace UNANSWERED after {}\nby your answer.",
            numberOf(name), name);
    return answer;
}

// Fails the test unless the answer is the measured number, up to `rounded` of its value. `pointer`
// says where to look, or how to think. Measures only if there is an answer.
inline void expectNumber(const std::string& name, const std::string& pointer,
                         const std::function<double()>& measure, double rounded = 0) {
    const double answer = answerTo(name);
    if (isWord(answer)) wrong(name, "the answer is a number, not a word.");
    const double right = measuredFor(name, measure);
    // The comparison must be false for a NaN, which must not pass.
    if (std::abs(answer - right) <= (rounded + 1e-9) * std::abs(right)) return;
    wrong(name, "this number is not right. " + pointer);
}

// Does the same for an answer that people round.
inline void expectRounded(const std::string& name, const std::string& pointer,
                          const std::function<double()>& measure) {
    expectNumber(name, pointer, measure, kRounded);
}

// Fails the test unless the answer is the measured word. `choice` lists the words as people write
// them: "yes or no".
inline void expectWord(const std::string& name, const std::string& choice,
                       const std::string& pointer, const std::function<double()>& measure) {
    const double answer = answerTo(name);
    if (!isWord(answer)) wrong(name, "the answer is a word: " + choice + ".");
    if (answer != measuredFor(name, measure)) wrong(name, "it is not so. " + pointer);
}

// Calls student code and returns the report of its first launch. Throws KernelFirst if something is
// wrong with the call, which the kernel's own tests explain.
inline const cusim::LaunchReport& launchOf(const lab::Outputs& outputs,
                                           const std::function<void()>& studentCode) {
    device::reset();
    const device::Outcome outcome = device::runQuietly(outputs, studentCode);
    if (outcome.how != device::Outcome::Returned || !outcome.problems.empty())
        kernelFirst("which does not run without findings yet.");
    if (cusim::launches().empty()) kernelFirst("which is not launched yet.");
    return cusim::launches().front();
}

inline double sum(const matrix::Matrix& A) {
    return std::accumulate(A.data(), A.data() + A.size(), 0.0);
}

// A product of the student's kernel, with the launch whose elements were counted.
struct Product {
    matrix::Matrix M, N, P;
    cusim::LaunchReport launch;
};

// Lets `multiply` fill the P of a Product. M and N hold whole numbers with sums below 2^24, so that
// a right P is exact; throws KernelFirst where it is wrong.
inline Product productOf(const matrix::Matrix& M, const matrix::Matrix& N,
                         const std::function<void(Product& run)>& multiply) {
    const lab::CountElements counting;
    Product run{M, N, matrix::poisoned(M.rows(), N.cols()), {}};
    run.launch = launchOf(lab::gives(run.P).from(run.M, run.N), [&] { multiply(run); });
    if (!matrix::compare(run.P, M, N, matrix::multiply(M, N), true).passed)
        kernelFirst("whose product is not right yet.");
    return run;
}

// Multiplies ones, j x k and k x l: their product counts its own terms.
inline Product productOfOnes(int j, int k, int l,
                             const std::function<void(Product& run)>& multiply) {
    return productOf(matrix::Matrix(j, k, 1.0F), matrix::Matrix(k, l, 1.0F), multiply);
}

}  // namespace questions
