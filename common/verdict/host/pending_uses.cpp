#include "verdict/host/pending_uses.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "simulator/engine/waits.h"
#include "simulator/memory/closed_pages.h"
#include "simulator/memory/device_memory.h"

namespace host {

using cusim::ClosedPages;
using cusim::PendingUse;

void writePendingUses(testing::ByteWriter& writer) {
    std::vector<std::pair<std::uintptr_t, const PendingUse*>> all;
    ClosedPages::instance().forEachUse([&](std::uintptr_t start, const PendingUse& use) {
        const void* const memory = reinterpret_cast<const void*>(start);
        const auto* const allocation = cusim::DeviceMemory::instance().find(memory);
        if (cusim::Waits::instance().isOverInFunction(*use.work)) return;
        if (!allocation || allocation->hostMayAccess())  // without one it is registered
            all.emplace_back(start, &use);
    });
    writer(static_cast<std::uint32_t>(all.size()));
    for (const auto& [start, use] : all) {
        std::vector<std::uint64_t> borders;
        for (const cusim::Piece& piece : use->pieces)
            borders.insert(borders.end(), {piece.begin, piece.end});
        writer(start), writer(use->writes()), writer(borders);
        writer(use->work->name), writer(use->work->at.file), writer(use->work->at.line);
    }
}

void takePendingUses(testing::ByteReader& reader) {
    ClosedPages& pages = ClosedPages::instance();
    pages.forget([](const cusim::Work&) { return true; });
    std::uint32_t count = 0;
    for (reader(count); count > 0; --count) {
        std::uintptr_t start = 0;
        PendingUse use;
        bool writes = false;
        cusim::Work work;
        std::vector<std::uint64_t> borders;
        reader(start), reader(writes), reader(borders);
        reader(work.name), reader(work.at.file), reader(work.at.line);
        for (std::size_t i = 0; i + 1 < borders.size(); i += 2)
            use.pieces.push_back({borders[i], borders[i + 1]});
        use.how = writes ? cusim::ByteUse::Write : cusim::ByteUse::Read;
        use.work = std::make_shared<cusim::Work>(std::move(work));
        const auto* const memory =
            cusim::DeviceMemory::instance().find(reinterpret_cast<const void*>(start));
        if (memory && memory->live) {
            pages.add(*memory, std::move(use));
        } else if (!memory && !borders.empty()) {
            const std::size_t bytes = borders.back();
            cusim::registeredRange.add(start, bytes);
            pages.addRegistered(start, bytes, std::move(use));
        }
    }
}

}  // namespace host
