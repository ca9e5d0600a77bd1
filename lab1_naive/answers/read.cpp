// Gives the tests the answers in the judged file.
#include ANSWERS

#include "testing/read_answers.h"

double answers::valueOf(const char* name) {
    // constexpr, so that an answer is a value that the compiler knows and not a call.
    static constexpr Named all[] = {
        ANSWER(Q1_loads),           ANSWER(Q2_stores),  ANSWER(Q3_doubled), ANSWER(Q4_walk),
        ANSWER(Q5_outside),         ANSWER(Q6_ratio),   ANSWER(Q7_cap),     ANSWER(Q8_percent),
        ANSWER(Q9_needed),          ANSWER(Q10_widest), ANSWER(Q11_blur),   ANSWER(Q12_blur_gains),
        ANSWER(Q12_addition_gains),
    };
    return find(all, name);
}
