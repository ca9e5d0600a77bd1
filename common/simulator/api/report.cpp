#include "simulator/api/report.h"

#include "simulator/engine/runtime.h"
#include "simulator/findings/source_lines.h"

namespace cusim {

Report currentReport() {
    Runtime& runtime = Runtime::instance();
    Report report{runtime.findings, runtime.launches, runtime.streamSteps, runtime.calls,
                  runtime.storedValues.all()};
    for (Finding& finding : report.findings) addSource(finding);
    return report;
}

void addSource(Finding& finding) {
    if (!finding.source) finding.source = sourceLine(finding.file, finding.line);
}

void tellFindings(void (*listener)(const Finding& finding)) { Runtime::findingListener = listener; }

void tellEnd(void (*listener)()) { Runtime::endListener = listener; }

void restore(Report report) {
    Runtime& runtime = Runtime::instance();
    runtime.findings = std::move(report.findings);
    runtime.launches = std::move(report.launches);
    runtime.streamSteps = std::move(report.streamSteps);
    runtime.calls = std::move(report.calls);
    runtime.storedValues.replace(std::move(report.storedValues));
}

}  // namespace cusim
