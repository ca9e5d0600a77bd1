#include "verdict/host/one_processor.h"

namespace host {

OneProcessor::OneProcessor() : chosen_(sched_getaffinity(0, sizeof any_, &any_) == 0) {
    const int here = sched_getcpu();
    chosen_ = chosen_ && here >= 0 && here < CPU_SETSIZE;
    if (!chosen_) return;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(here, &one);
    sched_setaffinity(0, sizeof one, &one);
}

OneProcessor::~OneProcessor() {
    if (chosen_) sched_setaffinity(0, sizeof any_, &any_);
}

}  // namespace host
