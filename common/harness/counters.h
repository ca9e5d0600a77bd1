// Counts of the last device::run. The linker chooses the implementation: a card counts nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace harness {

struct GlobalTraffic {
    std::uint64_t loads = 0, stores = 0;
};

// Returns the global loads and stores of all launches together; nothing on a card.
std::optional<GlobalTraffic> globalTraffic();

// The model's result for all launches together; nothing in it is measured.
struct ModelledRun {
    std::string card;  // as in "on an H200"
    double microseconds = 0;
    std::string limitedBy;  // what limits the launch that takes longest
};
// `flop` are the operations of all launches. Returns nothing if no warp was observed, on a card,
// and for a lab whose modelled times were not checked.
std::optional<ModelledRun> modelledRun(const std::string& lab, std::uint64_t flop);

// Returns why a report shows no modelled time of a lab, as a sentence without its full stop; empty
// if it shows one, and on a card.
std::string whyNoTimes(const std::string& lab);

// Returns a title for the times in a table, and below it their unit.
std::pair<const char*, const char*> titleOfTimes();

// Returns one line without its end: global loads, requests and the modelled time of the last run;
// empty on a card.
std::string briefCounts(const std::string& lab, std::uint64_t flop);

// Returns a small table for each launch, then the compute-to-global-memory-access ratio for this
// many floating-point operations. At most 80 columns; empty on a card.
std::string describeLaunches(const std::string& lab, std::uint64_t flop);

// Returns the file to which launches are traced, at first that of TRACE, and traces the next ones
// to `path`; if that is empty, to no file. A card traces nothing.
std::string traceTo(const std::string& path);

}  // namespace harness
