// Device memory: a reserved range of addresses that nothing else uses, so that one comparison
// tells a device pointer from a host pointer. Each allocation has pages of its own, with a gap
// behind it; an address maps to its allocation through a table of pages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "simulator/include/cusim/memory_api.h"
#include "simulator/include/cusim/where.h"

namespace cusim {

struct Allocation {
    std::uintptr_t base;
    std::size_t bytes;
    std::uint32_t id;  // index into per-launch tables
    MemoryKind kind;
    std::string name;  // the student's, such as d_M
    Where at;
    bool live = true;
    std::size_t bytesBeforeFree = 0;  // a freed allocation holds no bytes, so every access fails
    Where freedAt{};
    std::uint8_t* marks = nullptr;  // one a byte, see observers/unset_reads.h; null for variables
    bool addressGiven = false;  // of a variable: to the host, by cudaGetSymbolAddress
    // One a 4-byte word: whether it was a kernel that has stored it last (see stored_values.h).
    std::uint8_t* stored = nullptr;
    const void* copiedFrom = nullptr;  // host address last copied to or from, whole or in part
    const void* copiedTo = nullptr;

    bool holds(std::uintptr_t address, std::size_t size) const {
        return address - base < bytes && size <= bytes - (address - base);
    }
    bool hostMayAccess() const {
        return kind == MemoryKind::Managed || kind == MemoryKind::Pinned ||
               kind == MemoryKind::ManagedVariable;
    }
    bool isVariable() const {
        return kind == MemoryKind::DeviceVariable || kind == MemoryKind::ConstantVariable ||
               kind == MemoryKind::ManagedVariable;
    }
};

// Returns the allocation's name, or words that stand for it.
std::string label(const Allocation& allocation);

// The range of addresses in which the program's __device__ variables lie. A constant until the
// first is known: host code asks before the simulator's own statics are made.
struct VariableRange {
    std::uintptr_t low;
    std::size_t bytes;
    bool mayHold(std::uintptr_t address) const { return address - low < bytes; }
};
extern VariableRange variableRange;

class DeviceMemory {
  public:
    static constexpr std::size_t kPage = 4096;

    static DeviceMemory& instance();

    // Null where there is not enough left. The bytes read as NaN until they are written.
    Allocation* allocate(std::size_t bytes, MemoryKind kind, const Where& at);
    void free(Allocation& allocation, const Where& at);
    void addVariable(void* variable, std::size_t bytes, const char* name, MemoryKind kind,
                     const Where& at);
    void freeAll();

    // The live or freed allocation or registered variable at or around an address, else null.
    Allocation* find(const void* address) const;
    // The one that holds the nearest bytes at or below the address, for reports.
    Allocation* nearestBelow(const void* address) const;
    bool inDeviceRange(const void* address) const {
        return reinterpret_cast<std::uintptr_t>(address) - base_ < deviceBytes_;
    }

    // Hot: the allocation of an address in the reserved range, else null.
    Allocation* atPage(std::uintptr_t address) const { return pages_[(address - base_) / kPage]; }
    std::uintptr_t base() const { return base_; }
    std::size_t bytes() const { return deviceBytes_ + sharedWithHostBytes_; }

    const std::vector<std::unique_ptr<Allocation>>& allocations() const { return allocations_; }
    // From base(): bytes whose addresses have been given out, and of these the ones before the
    // first allocation that still lives.
    std::size_t usedBytes() const { return nextDevice_ - base_; }
    std::size_t deadBytes() const;
    std::size_t liveBytes() const { return liveBytes_; }
    std::size_t totalBytes() const { return kTotal; }

    // While one of these lives, device memory can be read and written by this process.
    class Access {
      public:
        Access();
        ~Access();
        Access(const Access&) = delete;
        Access& operator=(const Access&) = delete;
    };

  private:
    static constexpr std::size_t kTotal = std::size_t{4} << 30;

    DeviceMemory();
    void protect(int protection) const;
    static std::size_t storedMarks(std::size_t bytes);

    std::uintptr_t base_ = 0;
    std::size_t deviceBytes_ = 0, sharedWithHostBytes_ = 0;
    std::uintptr_t nextDevice_ = 0, nextShared_ = 0;
    std::size_t liveBytes_ = 0;
    Allocation** pages_ = nullptr;
    std::vector<std::unique_ptr<Allocation>> allocations_;
    std::vector<Allocation*> variables_;
    int accessDepth_ = 0;
};

}  // namespace cusim
