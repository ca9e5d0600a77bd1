// Launches by name, for tests that go through all of them.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

using LaunchTable = std::map<std::string, std::function<void()>>;

inline std::vector<std::string> namesOf(const LaunchTable& table) {
    std::vector<std::string> names;
    for (const auto& [name, launch] : table) names.push_back(name);
    return names;
}
