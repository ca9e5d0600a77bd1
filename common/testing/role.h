// The purpose of the program that runs the tests.
#pragma once

namespace testing {

enum class Role {
    Judges,   // calls student code and judges it, as usual
    Records,  // calls student code and writes down what it did
    Replays,  // judges what another program has recorded
};
Role role();
void setRole(Role role);

// Tests whether this program judges. Otherwise a test need not compute what it expects.
inline bool judges() { return role() != Role::Records; }

}  // namespace testing
