#include "simulator/explain/told_parameter.h"

#include <algorithm>
#include <cctype>
#include <string>

#include "simulator/explain/named_array.h"

namespace cusim {
namespace {

bool isUpper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }
bool isLower(char c) { return std::islower(static_cast<unsigned char>(c)) != 0; }

// Tests for names such as d_P, devP, P_d or dp, for a parameter P or p; not for unsetPointer.
bool isNamedBy(const PointerParameter& parameter, const Allocation& array) {
    const std::string &name = array.name, &own = parameter.name;
    for (std::size_t at = name.find(own); at != std::string::npos; at = name.find(own, at + 1)) {
        const std::size_t end = at + own.size();
        const bool begins =
            at == 0 || name[at - 1] == '_' || isUpper(own[0]) || (at == 1 && name[0] == 'd');
        if (begins && (end == name.size() || !isLower(name[end]))) return true;
    }
    return false;
}

// Returns the live array that a parameter's name means and the launch does not pass, or null.
const Allocation* leftOut(const PointerParameter& parameter,
                          const std::vector<PointerParameter>& all) {
    for (const auto& one : DeviceMemory::instance().allocations()) {
        const bool passed = std::any_of(all.begin(), all.end(), [&](const PointerParameter& other) {
            return DeviceMemory::instance().find(other.value) == one.get();
        });
        if (one->live && !passed && isNamedBy(parameter, *one)) return one.get();
    }
    return nullptr;
}

}  // namespace

void tellParameter(Finding& finding, const Allocation& array, const KernelCall& call) {
    const auto isArray = [&](const PointerParameter& parameter) {
        return DeviceMemory::instance().find(parameter.value) == &array;
    };
    const auto isNamed = [&](const PointerParameter& parameter) {
        return isNamedBy(parameter, array);
    };
    const auto all = pointerParameters(finding.file, finding.line, call);
    if (array.name.empty()) return;
    const auto times = std::count_if(all.begin(), all.end(), isArray);
    const bool right = std::any_of(all.begin(), all.end(), [&](const PointerParameter& parameter) {
        return isArray(parameter) && isNamed(parameter);
    });
    const std::string launch = joined("the launch at ", text(Place(call.at)));
    for (const PointerParameter& own : all) {
        if (!isArray(own) || isNamed(own)) continue;
        const Allocation* const other = leftOut(own, all);
        if (other && right) {
            finding.details.push_back(joined(own.name, " is ", array.name, " too: ", launch,
                                             " passes ", array.name, " twice, and ", other->name,
                                             " not at all"));
            finding.remedy = joined("Pass ", other->name, " as the kernel's ", own.name,
                                    ": arguments come in the order of the parameters.");
            return;
        }
        if (times != 1) continue;
        finding.details.push_back(
            joined(own.name, " is ", array.name, ": so ", launch, " passes it"));
        if (std::any_of(all.begin(), all.end(), isNamed))
            finding.remedy =
                "Compare the launch's arguments with the kernel's parameters: they must be in the "
                "same order.";
    }
}

}  // namespace cusim
