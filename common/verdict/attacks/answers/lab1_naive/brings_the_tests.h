// Attack: to bring the tests along, for what they hold about the answers.
// Remark: includes a file that is not a header
// It does not compile.
#include "lab1_naive/answers.h"
#define TEST_CASE(name) static void measure()
namespace tests {
#include "lab1_naive/answers/test_answers_sim.cpp"
}
