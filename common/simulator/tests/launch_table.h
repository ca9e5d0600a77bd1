// Launches by name, for tests that go through all of them.
#pragma once

#include <functional>
#include <map>
#include <string>

using LaunchTable = std::map<std::string, std::function<void()>>;
