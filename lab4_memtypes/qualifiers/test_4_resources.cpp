// Tests each kernel's registers and memories by the assembler's report. It needs nvcc, but no card.
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <sstream>
#include <string>

#include "testing/lab.h"
#include "testing/role.h"

namespace {

struct Resources {
    int registers = 0, localBytes = 0, sharedBytes = 0;
};

struct Report {
    int status = 0;
    std::string text;
    std::map<std::string, Resources> kernels;
};

// Runs resources.py on the judged file.
Report askAssembler() {
    const char* const file = std::getenv("LAB_KERNEL");
    if (!file) return {2, "", {}};
    // As in build.mk, because a Python on the PATH may be a slow wrapper.
    const std::string command =
        "python=/usr/bin/python3; [ -x $python ] || python=python3; "
        "$python -B lab4_memtypes/resources.py '" +
        std::string(file) + "' 2>/dev/null";
    std::FILE* const pipe = popen(command.c_str(), "r");
    if (!pipe) return {2, "", {}};
    Report report;
    char line[256];
    while (std::fgets(line, sizeof line, pipe)) {
        report.text += std::string("       ") + line;
        std::istringstream row(line);
        std::string kernel;
        Resources r;
        if (row >> kernel >> r.registers >> r.localBytes >> r.sharedBytes)
            report.kernels[kernel] = r;
    }
    report.status = WEXITSTATUS(pclose(pipe));
    return report;
}

}  // namespace

TEST_CASE("an array is in local memory if its indices change, otherwise in registers") {
    // This report needs a compiler that reads the student's file here, so it is only for students,
    // not for verdicts.
    if (testing::role() != testing::Role::Judges) {
        lab::leaveOut(
            "The assembler's report is not part of a verdict that is formed from a record.");
        return;
    }
    const Report report = askAssembler();
    if (report.status == 2) {
        lab::leaveOut(
            "The assembler's report needs nvcc, which is not installed (see make doctor).");
        return;
    }
    if (report.status != 0)
        lab::fail(
            "not-compiled",
            "nvcc does not compile the file. To see why, run\nmake -C lab4_memtypes resources.");
    std::cout << report.text;
    const auto local = report.kernels.find("localArrayKernel");
    const auto registers = report.kernels.find("registerArrayKernel");
    if (local == report.kernels.end() || registers == report.kernels.end())
        lab::fail("demonstration-changed",
                  "The file has no localArrayKernel or no registerArrayKernel: restore them.");
    const int bytesOfArray = 10 * static_cast<int>(sizeof(int));
    if (local->second.localBytes < bytesOfArray)
        lab::fail("wrong-memory", Todo(2),
                  "localArrayKernel has {} of local memory, but its array\nneeds {}. An automatic "
                  "array is there if its indices are not all constants.",
                  lab::count(local->second.localBytes, "byte"), bytesOfArray);
    if (registers->second.localBytes != 0)
        lab::fail("demonstration-changed",
                  "registerArrayKernel has local memory, so an index is not a constant. It is "
                  "a\ndemonstration: restore it.");
}
