#include "verdict/host/one_processor.h"

#include <sched.h>

namespace host {
namespace {

cpu_set_t any, one;
bool chosen = false;

void runOn(const cpu_set_t& processors) {
    if (chosen) sched_setaffinity(0, sizeof processors, &processors);
}

}  // namespace

OneProcessor::OneProcessor() {
    const int here = sched_getcpu();
    chosen = here >= 0 && here < CPU_SETSIZE && sched_getaffinity(0, sizeof any, &any) == 0;
    if (!chosen) return;
    CPU_ZERO(&one);
    CPU_SET(here, &one);
    runOn(one);
}
OneProcessor::~OneProcessor() { runOn(any); }

AnyProcessor::AnyProcessor() { runOn(any); }
AnyProcessor::~AnyProcessor() { runOn(one); }

}  // namespace host
