// Gives the tests the answers in the judged file.
#include ANSWERS

#include "testing/read_answers.h"

double answers::valueOf(const char* name) {
    // constexpr, so that an answer is a value that the compiler knows and not a call.
    static constexpr Named all[] = {
        ANSWER(Q1_phases),     ANSWER(Q2_too_many), ANSWER(Q3_loads_of_M),
        ANSWER(Q4_loads_of_N), ANSWER(Q5_zeros),    ANSWER(Q6_idle),
        ANSWER(Q7_saved),      ANSWER(Q8_padded),   ANSWER(Q9_divergent),
    };
    return find(all, name);
}
