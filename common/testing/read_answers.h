// For a lab's answers/read.cpp, which is compiled with the answers.h that is judged and lists what
// it has to hold.
#pragma once

#include <cstddef>
#include <cstring>

#include "testing/answers.h"

namespace answers {

struct Named {
    const char* name;
    Answer value;
};

template <std::size_t n>
double find(const Named (&all)[n], const char* name) {
    for (const Named& answer : all)
        if (std::strcmp(answer.name, name) == 0) return answer.value;
    return UNANSWERED;
}

}  // namespace answers

#define ANSWER(name) \
    answers::Named { #name, name }
