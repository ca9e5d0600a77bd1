// Checks the text of all findings, and that no schedule changes it.
#pragma once

#include <string>
#include <vector>

#include "chosen_options.h"
#include "on_device.h"
#include "simulator/findings/source_lines.h"
#include "simulator/simulator.h"
#include "testing/catch.h"

// Returns the marks in a line's comment.
inline std::string marksOf(const std::string& file, int line) {
    const std::string source = cusim::sourceLine(file, line);
    const std::size_t comment = source.find("// ");
    return comment == std::string::npos ? "no mark on: " + source : source.substr(comment + 3);
}

inline std::string allFindings() {
    std::string text;
    for (const cusim::Finding& finding : cusim::findings()) text += cusim::text(finding);
    return text;
}

// Runs each launch under several schedules and numbers of host threads, and repeatedly.
inline void checkSameTextAlways(const LaunchTable& table) {
    for (const auto& entry : table) {
        const auto textOf = [&launch = entry.second] {
            cusim::reset();
            launch();
            return allFindings();
        };
        INFO(entry.first);
        const ChosenOptions chosen(1);
        const std::string expected = textOf();
        const auto check = [&] {
            INFO(cusim::options().workers << " workers, " << cusim::options().schedule);
            CHECK(textOf() == expected);
        };
        for (const std::string schedule :
             {"forward", "reverse", "random:1", "random:2", "random:3"})
            for (const int workers : {1, 2, 5}) {
                // Fewer runs are enough for a near miss.
                if (expected.empty() && workers != 2) continue;
                cusim::options().schedule = schedule;
                cusim::options().workers = workers;
                check();
            }
        if (expected.empty()) continue;
        for (int repetition = 0; repetition < 10; ++repetition) check();
    }
}
