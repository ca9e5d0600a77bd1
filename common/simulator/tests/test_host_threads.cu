// Tests what becomes of locks that host code holds if a test ends it, of host code that sleeps,
// and of threads that it starts.
#include <fcntl.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <future>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>

#include "chosen_options.h"
#include "on_device.h"
#include "simulator/engine/worker_pool.h"
#include "simulator/findings/source_lines.h"

namespace {

using cusim::Outcome;
using std::chrono::milliseconds;

// Ends the call, as a student's CHECK does, or by a crash.
void leave(const std::string& how) {
    if (how == "exit") std::exit(3);
    volatile int* nothingThere = nullptr;
    if (how == "crash") *nothingThere = 1;
}

int valueBehind(const std::string& how) {
    leave(how);
    return 7;
}

std::mutex ofFile;
std::shared_mutex readMostly;
pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;

// Functions that hold a lock while they are left.
const std::vector<void (*)(const std::string&)> kHolders = {
    [](const std::string& how) {
        const std::lock_guard<std::mutex> lock(ofFile);
        leave(how);
    },
    [](const std::string& how) {
        static std::recursive_mutex own;
        const std::lock_guard<std::recursive_mutex> lock(own), again(own);
        leave(how);
    },
    [](const std::string& how) {
        const std::unique_lock<std::mutex> lock(ofFile, std::try_to_lock);
        CHECK(lock.owns_lock());
        leave(how);
    },
    [](const std::string& how) {
        const std::unique_lock<std::shared_mutex> lock(readMostly);
        leave(how);
    },
    [](const std::string& how) {
        pthread_mutex_lock(&plain);
        leave(how);
        pthread_mutex_unlock(&plain);
    },
    [](const std::string& how) {
        static const int value = valueBehind(how);
        CHECK(value == 7);
    },
    [](const std::string& how) {
        static std::once_flag once;
        std::call_once(once, leave, how);
    }};

const cusim::Finding& onlyFinding() {
    REQUIRE(cusim::findings().size() == 1);
    return cusim::findings()[0];
}

// Checks that the one finding is on the line that ends with this comment.
void checkLine(const std::string& comment) {
    const cusim::Finding& finding = onlyFinding();
    INFO(cusim::text(finding));
    CHECK(holds(cusim::sourceLine(finding.file, finding.line), "// " + comment));
}

}  // namespace

DEVICE_TEST("What host code has locked is given back where a jump leaves it") {
    for (std::size_t i = 0; i < kHolders.size(); ++i)
        for (const std::string how : {"exit", "crash", "exit", "return", "return"}) {
            INFO("holder " << i << ", " << how);
            cusim::reset();
            const Outcome outcome = cusim::guarded([&] { kHolders[i](how); });
            const bool leaves = how != "return" && i + 2 < kHolders.size();
            if (leaves) CHECK(outcome.how == (how == "exit" ? Outcome::Exited : Outcome::Faulted));
            if (how == "return") CHECK(outcome.how == Outcome::Returned);
        }
}

DEVICE_TEST("Host code that waits for ever is ended on its line") {
    cusim::options().secondLimit = 0.05;
    const Outcome outcome = cusim::guarded([] {
        const std::lock_guard<std::mutex> lock(ofFile);
        ofFile.lock();  // waits
    });
    CHECK(outcome.how == Outcome::Faulted);
    CHECK(onlyFinding().kind == "endless-host");
    CHECK(holds(onlyFinding().title, "waits for something that does not happen"));
    checkLine("waits");
    CHECK(cusim::guarded([] { const std::lock_guard<std::mutex> lock(ofFile); }).how ==
          Outcome::Returned);
}

DEVICE_TEST("Host code may sleep for a while, and wait for a reader of what it writes") {
    cusim::options().secondLimit = 1;  // it may sleep for 0.5 s, or for 10 before the test above
    CHECK(cusim::guarded([] { std::this_thread::sleep_for(milliseconds(300)); }).how ==
          Outcome::Returned);
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    std::thread reader([&] {
        std::this_thread::sleep_for(milliseconds(1200));
        for (char bytes[4096]; read(ends[0], bytes, sizeof bytes) > 0;) continue;
    });
    const std::vector<char> many(1 << 20);
    CHECK(cusim::guarded([&] {
              CHECK(write(ends[1], many.data(), many.size()) == ssize_t(many.size()));
          }).how == Outcome::Returned);
    close(ends[1]);
    reader.join();
    close(ends[0]);
}

DEVICE_TEST("Host code under test starts no threads") {
    bool ran = false;
    const auto run = [&](const auto& start) {
        cusim::reset();
        CHECK(cusim::guarded(start).how == Outcome::Faulted);
        CHECK(onlyFinding().kind == "unsupported");
        CHECK_FALSE(ran);
    };
    run([&] { std::thread([&] { ran = true; }).join(); });  // thread
    checkLine("thread");
    run([&] { std::async(std::launch::async, [&] { ran = true; }).get(); });  // async
    checkLine("async");
    run([&] {
        pthread_t one;
        pthread_create(  // create
            &one, nullptr, [](void*) -> void* { return nullptr; }, nullptr);
    });
    checkLine("create");
    std::thread([&] { ran = true; }).join();
    CHECK(ran);
}

DEVICE_TEST("Student code on a thread of the simulator, outside of a kernel, ends the program") {
    const pid_t child = fork();
    if (child == 0) {
        close(STDERR_FILENO);
        cusim::servesBlocks = true;
        static int stored = 0;
        stored = 1;
        _exit(stored);
    }
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WEXITSTATUS(status) == 2);
}
