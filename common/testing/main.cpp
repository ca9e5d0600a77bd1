// The main program of every test: Catch2's command line, with our report unless another one is
// asked for (-r console, -r junit, ...). Exit status 0: all passed; 1: a test failed; 2: usage.
#define CATCH_CONFIG_RUNNER
#include "testing/catch.h"
#include "testing/reporter.h"

int main(int argc, char** argv) {
    Catch::Session session;
    auto& config = session.configData();
#if LABS_CATCH3
    config.reporterSpecifications.push_back({"facts", {}, {}, {}});
    config.defaultColourMode = Catch::ColourMode::PlatformDefault;
#else
    config.reporterName = "facts";
#endif
    if (session.applyCommandLine(argc, argv) != 0) return 2;
#if LABS_CATCH3
    // A reporter of the command line takes the place of ours.
    if (config.reporterSpecifications.size() > 1)
        config.reporterSpecifications.erase(config.reporterSpecifications.begin());
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
    return failures == 0 ? 0 : 1;
}
