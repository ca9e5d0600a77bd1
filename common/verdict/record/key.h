#pragma once

#include "testing/catch.h"
#include "verdict/record/record_file.h"

namespace testing {

// Returns the key of the next call of the running test.
inline Key nextKey() {
    static Key last;
    const std::string test = Catch::getResultCapture().getCurrentTestName();
    last.number = test == last.test ? last.number + 1 : 1;
    last.test = test;
    return last;
}

#if LABS_CATCH3
using RunListener = Catch::EventListenerBase;
#else
using RunListener = Catch::TestEventListenerBase;
#endif

}  // namespace testing
