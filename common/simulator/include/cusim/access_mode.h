// What an access says beside its address: of volatile and atomic ones, as the memory model has them
// (PTX ISA, "Memory Consistency Model").
#pragma once

namespace cusim {

// The threads among which an atomic or a fence orders.
enum class Scope : unsigned char { Block, Device };

struct AccessMode {
    bool isVolatile = false;
    bool acquires = false, releases = false;  // without a fence beside it
    Scope scope = Scope::Device;
    bool reads = true, writes = true;  // of an atomic: one that only loads or stores does one
    bool used = true;                  // false if the result of an atomic is unused
    const void* compared = nullptr;    // what a compare-and-swap expects
};

}  // namespace cusim
