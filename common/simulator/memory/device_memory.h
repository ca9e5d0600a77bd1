// Device memory: a reserved range of addresses, so that one comparison distinguishes a device
// pointer from a host pointer. Each allocation has pages of its own with a gap after it, and a
// table of pages maps an address to its allocation.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "simulator/include/cusim/memory_api.h"
#include "simulator/include/cusim/where.h"
#include "simulator/memory/byte_marks.h"
#include "simulator/memory/paddings.h"

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
    std::uint8_t* marks = nullptr;  // one per byte, see observers/unset_reads.h; null for variables
    Paddings paddings = {};         // may be read with members, even if `marks` has it unset
    bool addressGiven = false;      // cudaGetSymbolAddress gave a variable's address to the host
    std::uintptr_t hostCopy = 0;    // of a variable: what its name means in host code; 0 without
    // One per 4-byte word, with one bit per byte: set if a kernel made its last store (see
    // stored_values.h).
    std::uint8_t* stored = nullptr;
    std::unique_ptr<UsedBytes> used = nullptr;  // by the current launch, if its uses are noted
    const void* copiedFrom = nullptr;  // host address of the last copy into it, whole or in part
    const void* copiedTo = nullptr;
    std::size_t copiedFromOffset = 0;  // where that copy into it began
    std::size_t filledBytes = 0;       // by the last call of the host that copied or set bytes
    Where filledAt{};

    bool holds(std::uintptr_t address, std::size_t size) const {
        return address - base < bytes && size <= bytes - (address - base);
    }
    // Returns its bytes, also those that it held before it was freed.
    std::size_t ownBytes() const { return live ? bytes : bytesBeforeFree; }
    // Returns the bytes from its start to an address in it.
    std::size_t offsetOf(const void* address) const {
        return reinterpret_cast<std::uintptr_t>(address) - base;
    }
    bool hostMayAccess() const {
        return kind == MemoryKind::Managed || kind == MemoryKind::Pinned ||
               kind == MemoryKind::ManagedVariable;
    }
    bool hasPagesOfHost() const {
        return live && (kind == MemoryKind::Managed || kind == MemoryKind::Pinned);
    }
    bool isVariable() const {
        return kind == MemoryKind::DeviceVariable || kind == MemoryKind::ConstantVariable ||
               kind == MemoryKind::ManagedVariable;
    }
};

// Returns the allocation's name, or a description without one.
std::string label(const Allocation& allocation);

// The range of addresses that holds the program's __device__ variables and the host's copies of
// them. Initialized statically, because host code uses it before the simulator's own statics exist.
struct VariableRange {
    std::uintptr_t low;
    std::size_t bytes;
    bool mayHold(std::uintptr_t address) const { return address - low < bytes; }
    void add(std::uintptr_t start, std::size_t more) {
        const std::uintptr_t end = bytes == 0 ? start + more : std::max(start + more, low + bytes);
        low = bytes == 0 ? start : std::min(start, low);
        bytes = end - low;
    }
};
extern VariableRange variableRange;
// The range of addresses that holds all host memory from cudaHostRegister.
extern VariableRange registeredRange;

class DeviceMemory {
  public:
    static constexpr std::size_t kPage = 4096;

    static DeviceMemory& instance();

    // Leaves the bytes of later allocations as they are: the process of the device fills them.
    void leaveBytes() { fills_ = false; }
    // Returns null if too little memory is left. The bytes read as NaN until they are written.
    Allocation* allocate(std::size_t bytes, MemoryKind kind, const Where& at);
    void free(Allocation& allocation, const Where& at);
    void addVariable(void* variable, std::size_t bytes, const char* name, MemoryKind kind,
                     const Where& at);
    void freeAll();
    // Notes an allocation of 0 bytes, which gives a null pointer.
    void noteEmpty(const Where& at);
    // Returns a sentence per line that allocated 0 bytes.
    const std::vector<std::string>& toldEmpty() const { return toldEmpty_; }

    // Returns the allocation (live or freed) or registered variable whose pages hold an address, or
    // null.
    Allocation* find(const void* address) const;
    // Returns the variable at an address, or whose copy in host code is there; or null.
    Allocation* variableAt(const void* address) const;
    // Returns the allocation that starts nearest at or below an address of the reserved range, the
    // first one that is live above it, or null.
    const Allocation* nearestBelow(std::uintptr_t address) const;
    const Allocation* nextLive(std::uintptr_t address) const;
    // Tests for an address in the reserved range, or so close below it that only an index can lead
    // there.
    bool inReserved(std::uintptr_t address) const {
        return address - (base_ - kBelow) < bytes() + kBelow;
    }
    bool inDeviceRange(const void* address) const {
        return reinterpret_cast<std::uintptr_t>(address) - base_ < deviceBytes_;
    }

    // Tests whether a byte of an allocation is padding between the members of an element.
    bool isPadding(std::uint32_t allocation, std::size_t offset) const {
        return allocations_[allocation]->paddings.has(offset);
    }

    // Returns the allocation of an address in the reserved range, or null. Hot.
    Allocation* atPage(std::uintptr_t address) const { return pages_[(address - base_) / kPage]; }
    std::uintptr_t base() const { return base_; }
    std::size_t bytes() const { return deviceBytes_ + sharedWithHostBytes_; }

    const std::vector<std::unique_ptr<Allocation>>& allocations() const { return allocations_; }
    std::size_t liveBytes() const { return liveBytes_; }
    std::size_t totalBytes() const { return kTotal; }

    // Lets this process also use bytes of the range that no allocation holds. Returns false if they
    // are outside of the range.
    bool lend(std::uintptr_t address, std::size_t bytes) const;

    // Lets this process read and write device memory while an object of this class lives.
    class Access {
      public:
        Access();
        ~Access();
        Access(const Access&) = delete;
        Access& operator=(const Access&) = delete;
    };

  private:
    static constexpr std::size_t kBelow = std::size_t{64} << 20;
    static constexpr std::size_t kTotal = std::size_t{4} << 30;

    DeviceMemory();
    void protect(int protection) const;
    Allocation* add(std::uintptr_t base, std::size_t bytes, MemoryKind kind, std::string name,
                    const Where& at);
    static std::size_t storedMarks(std::size_t bytes);

    std::uintptr_t base_ = 0;
    std::size_t deviceBytes_ = 0, sharedWithHostBytes_ = 0;
    std::uintptr_t nextDevice_ = 0, nextShared_ = 0;
    std::size_t liveBytes_ = 0;
    std::vector<std::string> toldEmpty_;
    Allocation** pages_ = nullptr;
    std::vector<std::unique_ptr<Allocation>> allocations_;
    std::vector<Allocation*> variables_;
    int accessDepth_ = 0;
    bool fills_ = true;
};

}  // namespace cusim
