// Attack: to send what it finds to another machine.
// Remark: uses the network
#include <sys/socket.h>

#include "unsolved.h"

AT_START { socket(AF_INET, SOCK_STREAM, 0); }
