// Attack: to see another student's file in the compiler's errors, by the name that #line gives.
// Remark: names a file of another place by #line
// Never: the_victims_own_word
#define int no_such_type
#line 1 "VICTIMS_FILE"
#include __FILE__
