// Tries: to see all memory that the tests take.
// Gets: refused: defines operator new(unsigned long), which the system's libraries define
#include <new>

#include "unsolved.h"

void* operator new(std::size_t bytes) { return std::malloc(bytes); }
