#include "harness/counters.h"

namespace harness {

std::optional<GlobalTraffic> globalTraffic() { return std::nullopt; }

std::optional<ModelledRun> modelledRun(const std::string&, std::uint64_t) { return std::nullopt; }

std::string whyNoTimes(const std::string&) { return ""; }

std::pair<const char*, const char*> titleOfTimes() { return {"kernel", "us"}; }

std::string briefCounts(const std::string&, std::uint64_t) { return ""; }

std::string describeLaunches(const std::string&, std::uint64_t) { return ""; }

std::string traceTo(const std::string&) { return ""; }

}  // namespace harness
