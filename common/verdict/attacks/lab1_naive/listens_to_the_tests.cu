// Attack: to change the part that the tests' program plays.
// Remark: belongs to the simulated device
#include "unsolved.h"

namespace testing {
enum class Role { Judges, Records, Replays };
void setRole(Role role);
}  // namespace testing

AT_START { testing::setRole(testing::Role::Replays); }
