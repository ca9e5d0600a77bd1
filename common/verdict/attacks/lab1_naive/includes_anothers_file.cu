// Attack: to see another student's file in the compiler's errors.
// Remark: #include names a file that is not beside it
// Never: the_victims_own_word
#define int no_such_type
#include "VICTIMS_FILE"
