// What the program that runs the tests is for.
#pragma once

namespace testing {

enum class Role {
    Judges,   // the usual one: calls student code and judges it
    Records,  // calls student code; nobody believes what it says about it
    Replays,  // judges what another program has recorded
};
Role role();
void setRole(Role role);

// Where nothing is judged, what would be right need not be known.
inline bool judges() { return role() != Role::Records; }

}  // namespace testing
