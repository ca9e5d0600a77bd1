// What a race's finding must say. A line is named by the mark in its comment.
#pragma once

#include <string>

#include "findings_text.h"
#include "testing/catch.h"

struct ExpectedRace {
    std::string array, first, second;  // marks; the same twice for one line
    unsigned long long count;
    std::string example;  // part of the example
};

inline std::string otherMark(const cusim::Finding& finding) {
    const std::string label = "other side: ";
    for (const std::string& detail : finding.details) {
        if (detail.rfind(label, 0) != 0) continue;
        const std::size_t colon = detail.find(':', label.size());
        return marksOf(detail.substr(label.size(), colon - label.size()),
                       std::stoi(detail.substr(colon + 1)));
    }
    return holds(finding.title, "on the same line") ? marksOf(finding.file, finding.line)
                                                    : "no other side";
}

inline void checkRace(const cusim::Finding& finding, const ExpectedRace& expected) {
    INFO(cusim::text(finding));
    CHECK(finding.kind == "race");
    CHECK(holds(finding.title, "race on " + expected.array + ":"));
    CHECK(marksOf(finding.file, finding.line) == expected.first);
    CHECK(otherMark(finding) == expected.second);
    CHECK(finding.count == expected.count);
    bool found = false;
    for (const std::string& detail : finding.details) found |= holds(detail, expected.example);
    CHECK(found);
    CHECK_FALSE(finding.kernel.empty());
    CHECK_FALSE(finding.remedy.empty());
}
