// Attack: to see another student's file in the assembler's errors.
// Remark: contains assembly
// Never: the_victims_own_word
#include <cuda_runtime.h>
asm(".include \"VICTIMS_FILE\"\n");
