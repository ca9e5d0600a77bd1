// Attack: to see another student's file in the compiler's errors.
// Remark: includes a file
// Never: the_victims_own_word
#define int no_such_type
#include "VICTIMS_FILE"
