// What tests of programs beside the labs are written with.
#pragma once

#include <string>

#include "chosen_options.h"
#include "findings_text.h"

class Tolerant : public ChosenOptions {
  public:
    Tolerant() { cusim::options().tolerant = true; }
};
#define TOLERANT_TEST(name) TEST_CASE_METHOD(Tolerant, name)

// Returns "kind: mark" of each finding, the marks being those of its lines.
inline std::string told() {
    std::string all;
    for (const cusim::Finding& finding : cusim::findings()) {
        all += finding.kind + ": " + marksOf(finding.file, finding.line);
        for (std::size_t i = 0; i < finding.others.size(); ++i)
            all += ", " + marksOf(finding.others[i].file, finding.others[i].line);
        all += finding.remark ? " (remark)\n" : "\n";
    }
    return all;
}
