#include "simulator/memory/host_memory.h"

#include <cstdint>
#include <vector>

#include "simulator/simulator.h"

namespace cusim {
namespace {

struct Piece {
    const void* start;
    std::size_t bytes;
};
std::vector<Piece>& pieces() {
    static auto* const all = new std::vector<Piece>;
    return *all;
}

}  // namespace

void describeHostMemory(const void* start, std::size_t bytes) {
    if (bytes > 0) pieces().push_back({start, bytes});
}
void forgetHostMemory() { pieces().clear(); }

std::optional<std::size_t> hostBytesFrom(const void* pointer) {
    for (const Piece& piece : pieces()) {
        const std::size_t offset = reinterpret_cast<std::uintptr_t>(pointer) -
                                   reinterpret_cast<std::uintptr_t>(piece.start);
        if (offset < piece.bytes) return piece.bytes - offset;
    }
    return std::nullopt;
}

}  // namespace cusim
