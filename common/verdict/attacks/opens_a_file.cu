// Tries: to write a results file of its own.
// Gets: remark: to open a file for writing
#include <fstream>

#include "unsolved.h"

AT_START { std::ofstream("results.json") << "{\"score\": 100}"; }
