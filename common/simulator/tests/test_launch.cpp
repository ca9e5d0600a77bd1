// Tests what a launch passes on to its kernel, and what lasts from launch to launch.
#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "captured_output.h"
#include "chosen_options.h"
#include "kernels_launch.h"
#include "simulator/memory/unset.h"
#include "testing/catch.h"

namespace {

using Ints = std::vector<int>;

}  // namespace

DEVICE_TEST("Arguments are converted to the parameters' types") {
    CHECK(launching::convertedArguments() == std::vector<float>{7.0f, 65.0f});
    checkNothingFound();
}

DEVICE_TEST("Arguments are evaluated once, not by each thread") {
    CHECK(launching::evaluations() == 1);
}

TEST_CASE("Each thread has its own copy of a structure passed by value") {
    for (const int workers : {1, 2}) {
        const ChosenOptions chosen(workers);
        CHECK(launching::structByValue() == Ints{130, 230, 330, 430, 530, 630, 730, 830});
        checkNothingFound();
    }
}

DEVICE_TEST("A kernel can be launched through a pointer") {
    CHECK(launching::throughPointers() == Ints{1, 2});
    CHECK(launching::throughCudaLaunchKernel() == Ints{15, 9});
    checkNothingFound();
    CHECK(cusim::launches().back().kernel == "launching::(anonymous namespace)::receive");
}

DEVICE_TEST("Template and overloaded kernels are launched by the types of the arguments") {
    CHECK(launching::templatesAndOverloads() == Ints{1, 2, 3, 56});
    checkNothingFound();
    REQUIRE(cusim::launches().size() == 4);
    CHECK(cusim::launches()[2].kernel == "far::kernelOfNamespace");
    CHECK(cusim::launches()[3].kernel == "explicitAndDeduced<16>");
}

DEVICE_TEST("A kernel calls the virtual functions of its own objects") {
    CHECK(launching::virtualCall() == 4);
    checkNothingFound();
}

DEVICE_TEST("Dynamic shared memory is as large as the launch says") {
    CHECK(launching::dynamicShared(4) == Ints{3, 2, 1, 0});
    checkNothingFound();
    CHECK(cusim::launches().back().dynamicSharedBytes == 16);
    CHECK(cusim::launches().back().shared().loads == 4);
    CHECK(cusim::launches().back().shared().stores == 4);
    CHECK(launching::dynamicShared(1024).front() == 1023);
    checkNothingFound();
}

TEST_CASE("Dynamic shared memory may be declared outside functions and as rows") {
    for (const int workers : {1, 2}) {
        const ChosenOptions chosen(workers);
        CHECK(launching::dynamicSharedOutside(4) == Ints{3, 2, 1, 0});
        CHECK(cusim::launches().back().shared().loads == 4);
        CHECK(launching::dynamicSharedRows() ==
              Ints{0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15});
        checkNothingFound();
    }
}

DEVICE_TEST("A dynamic shared array does not go by the name of another kernel's") {
    launching::dynamicShared(4);
    CHECK(cusim::launches().back().arrays.back().name == "s");
    launching::dynamicSharedOutside(4);
    CHECK(cusim::launches().back().arrays.back().name == "dynamic shared memory");
}

DEVICE_TEST("Several arrays can be carved from one dynamic buffer") {
    CHECK(launching::carvedArrays() == std::vector<float>{32.25f, 21.5f, 10.75f, 0.0f});
    checkNothingFound();
    CHECK(cusim::launches().back().shared().storedBytes == 4 * (8 + 4 + 4));
    CHECK(cusim::launches().back().shared().loadedBytes == 4 * (8 + 4 + 4));
}

TEST_CASE("Every thread of a grid with three dimensions runs exactly once") {
    underEachSchedule([] {
        const std::vector<unsigned> seen = launching::geometry();
        CHECK(seen == std::vector<unsigned>(2 * 3 * 4 * 4 * 2 * 3, 1u));
        checkNothingFound();
        CHECK(cusim::launches().back().threads == seen.size());
        CHECK(cusim::launches().back().global().atomics == seen.size());
    });
}

TEST_CASE("A block finds unset shared memory, whatever another block left there") {
    const ChosenOptions chosen(1);
    const int unset = static_cast<int>(cusim::kUnsetWord);
    CHECK(launching::unsetShared() == Ints{unset, unset, unset, unset});
}

DEVICE_TEST("A device variable keeps its value from launch to launch") {
    const int before = launching::countUp();
    CHECK(launching::countUp() == before + 1);
    CHECK(launching::countUp() == before + 2);
    CHECK(launching::initialValue() == 20);
    checkNothingFound();
}

DEVICE_TEST("Symbols are copied whole and in part") {
    CHECK(launching::symbols() == Ints{107, 109, 111, 123, 3, 16, 1});
    checkNothingFound();
}

DEVICE_TEST("Managed and pinned memory is used from both sides") {
    CHECK(launching::managed() == Ints{2, 4, 6, 8});
    CHECK(launching::managedVariable() == Ints{7});
    CHECK(launching::pinned() == Ints{2, 4, 1, 2});
    checkNothingFound();
}

TEST_CASE("What kernels print appears by block, before the host goes on") {
    std::string expected;
    for (int b = 0; b < 12; ++b) {
        const std::string block = std::to_string(b);
        expected += "block " + block + " thread 0 of say\nblock " + block + " thread 1 of say\n" +
                    "again " + block + ".0 12.5%\nagain " + block + ".1 12.5%\n";
    }
    expected += "host\n";
    for (const int workers : {1, 2, 5}) {
        const ChosenOptions chosen(workers);
        CapturedOutput output;
        launching::print(12);
        const std::string text = output.text();
        INFO(workers << " workers");
        CHECK(text == expected);
        checkNothingFound();
    }
}

TEST_CASE("What a kernel printed before it failed is shown") {
    for (const int workers : {1, 2, 5}) {
        const ChosenOptions chosen(workers);
        CapturedOutput output;
        launching::announceAndFail();
        const std::string text = output.text();
        CHECK(text.substr(0, 16) == "block 0\nblock 1\n");
        CHECK(onlyFinding().kind == "assert");
    }
}

TEST_CASE("The schedule changes the result of a race") {
    const ChosenOptions chosen(1);
    CHECK(launching::lastWriter(4, 32) == 127);
    cusim::options().schedule = "reverse";
    CHECK(launching::lastWriter(4, 32) == 0);
}

DEVICE_TEST("The blocks of a small launch come in their order, whatever they do to one another") {
    std::vector<int> inOrder(std::size_t{64} * 16);
    std::iota(inOrder.begin(), inOrder.end(), 0);
    for (int run = 0; run < 20; ++run) CHECK(launching::arrivals(64, 16) == inOrder);
}

TEST_CASE("A schedule is the same on every run") {
    const ChosenOptions chosen(1);
    Ints forward(128);
    for (int i = 0; i < 128; ++i) forward[i] = i;
    CHECK(launching::arrivals(32, 4) == forward);
    Ints backward(forward.rbegin(), forward.rend());
    cusim::options().schedule = "reverse";
    CHECK(launching::arrivals(32, 4) == backward);

    cusim::options().schedule = "random:1";
    const Ints one = launching::arrivals(32, 4);
    CHECK(one != forward);
    CHECK(launching::arrivals(32, 4) == one);
    Ints sorted = one;
    std::sort(sorted.begin(), sorted.end());
    CHECK(sorted == forward);
    cusim::options().schedule = "random:2";
    CHECK(launching::arrivals(32, 4) != one);
    checkNothingFound();
}
