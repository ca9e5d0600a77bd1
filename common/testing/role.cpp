#include "testing/role.h"

namespace testing {
namespace {

Role chosen = Role::Judges;

}  // namespace

Role role() { return chosen; }
void setRole(Role other) { chosen = other; }

}  // namespace testing
