// Gives the tests the answers in the judged file.
#include ANSWERS

#include "testing/read_answers.h"

double answers::valueOf(const char* name) {
    // constexpr, so that an answer is a value that the compiler knows and not a call.
    static constexpr Named all[] = {
        ANSWER(Q1_untiled),  ANSWER(Q2_tiled),    ANSWER(Q3_percent), ANSWER(Q4_block),
        ANSWER(Q5_at_150),   ANSWER(Q6_at_86),    ANSWER(Q7_enough),  ANSWER(Q8_largest),
        ANSWER(Q9_for_sure), ANSWER(Q10_by_luck), ANSWER(Q11_passes), ANSWER(Q12_arithmetic),
    };
    return find(all, name);
}
