// One access by one simulated thread, as observers see it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cusim {

enum class AccessKind : std::uint8_t { Load, Store, Atomic };

inline const char* verb(AccessKind kind) {
    return kind == AccessKind::Load ? "reads" : kind == AccessKind::Store ? "writes" : "updates";
}

}  // namespace cusim
