// Tries: to switch the checks off, by the symbols in the program's own file.
// Gets: failed: no thread stores an element of P
// Remark: opens files
#include "find_symbol.h"
#include "unsolved.h"

AT_START {
    char* const options =
        find("_ZN5cusim7optionsEv", "_Z9matrixMulPKfS0_Pfi", reinterpret_cast<void*>(matrixMul));
    if (!options) return;
    // The options in order: counters, races, unset, warps.
    bool* const checks = reinterpret_cast<bool* (*)()>(options)();
    checks[1] = false;
    std::exit(0);  // shows in the report
}
