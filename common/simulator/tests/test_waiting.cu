// Tests that host code of a process of its own that waits for nothing is found by its line.
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "chosen_options.h"
#include "simulator/engine/faults.h"
#include "simulator/engine/watchdog.h"

namespace {

using cusim::Outcome;

constexpr unsigned kHalfASecond = 500000;

// Returns the findings of host code that runs in another process, where it may wait for a second at
// most.
std::string foundAlone(const std::function<void()>& hostCode) {
    cusim::reset();
    cusim::noteEndlessHost();
    cusim::hostProgress();
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    const pid_t child = fork();
    if (child == 0) {
        cusim::leaveWatching();
        cusim::guardedAlone(hostCode);
        std::string found;
        for (const cusim::Finding& finding : cusim::findings())
            found += finding.kind + ": " + cusim::text(finding);
        const bool written = write(ends[1], found.data(), found.size()) >= 0;
        _exit(written ? 0 : 1);
    }
    const cusim::Watched watched = cusim::watchHost(child, 1 / cusim::kOfLimitNextTime);
    int status = 1;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(status == 0);
    close(ends[1]);
    char found[4096];
    const ssize_t size = read(ends[0], found, sizeof found);
    close(ends[0]);
    return {found, static_cast<std::size_t>(size)};
}

}  // namespace

DEVICE_TEST("Host code that waits for too long ends its call, with the line where it waits") {
    const std::string found = foundAlone([] {
        sleep(20);  // here
    });
    CHECK(found.rfind("endless-host: ", 0) == 0);
    CHECK(holds(found, "waits for something that does not happen"));
    CHECK(holds(found, "// here"));
}

DEVICE_TEST("Host code that waits for a short time, for the device, or gets on is left alone") {
    CHECK(foundAlone([] {
              for (int i = 0; i < 3; ++i) {
                  usleep(kHalfASecond);
                  cudaDeviceSynchronize();
              }
              cusim::hostProgress().spareTurn();  // as in a call of the runtime
              usleep(3 * kHalfASecond);
          }).empty());
    CHECK(cusim::guarded([] { usleep(3 * kHalfASecond); }).how == Outcome::Returned);
    CHECK(cusim::findings().empty());
}
