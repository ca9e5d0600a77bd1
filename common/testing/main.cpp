// The main program of every test: Catch2's command line, with this course's report unless -r
// chooses another one (console, junit, ...). Exit status 0: all passed; 1: a test failed; 2: usage.
#define CATCH_CONFIG_RUNNER
#include <iostream>
#include <stdexcept>

#include "testing/catch.h"
#include "testing/device.h"
#include "testing/reporter.h"
#include "testing/results_file.h"

int main(int argc, char** argv) {
    device::listenToPrinted(testing::notePrinted);
    device::expectShortRuns();
    Catch::Session session;
    auto& config = session.configData();
#if LABS_CATCH3
    config.defaultColourMode = Catch::ColourMode::PlatformDefault;
    try {
        if (session.applyCommandLine(argc, argv) != 0) return 2;
    } catch (const std::domain_error&) {
        // Catch2 throws while it reports this error.
        std::cerr << "Only one reporter (-r) can do without a file of its own (::out=FILE).\n";
        return 2;
    }
    // Set after the command line, because Catch2 would refuse a second reporter there.
    if (config.reporterSpecifications.empty())
        config.reporterSpecifications.push_back({"facts", {}, {}, {}});
#else
    config.reporterName = "facts";
    if (session.applyCommandLine(argc, argv) != 0) return 2;
#endif
    const bool usualReport =
#if LABS_CATCH3
        config.reporterSpecifications.front().name() == "facts";
#else
        config.reporterName == "facts";
#endif
    const bool listing =
        config.listTests || config.listTags || config.listReporters || config.showHelp;
    const int failures = session.run();
    // A run without a test proves nothing.
    if (usualReport && !listing && testing::testsEnded() == 0) return 2;
    if (testing::resultsLost()) return 2;
    return failures == 0 ? 0 : 1;
}
