// Tracks which host values came from a kernel's store. So a test can distinguish a result computed
// on the device from one computed by the host, even after the host has moved it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cusim {

struct Allocation;

// A set of 4-byte words.
class StoredValues {
  public:
    // False for a program that needs none; keeping them takes as long as copying them.
    static inline bool wanted = true;

    void add(std::uint32_t word);
    // Returns the words in order, each once.
    const std::vector<std::uint32_t>& all();
    void replace(std::vector<std::uint32_t> words);

  private:
    void sort();

    std::vector<std::uint32_t> words_;
    std::size_t sorted_ = 0;  // how many words at the beginning are in order, each once
};

// Keeps what kernels have stored of these bytes; called when the host reads them, before they can
// change. Leaves out memory shared with the host, which may change without a call: only
// keepSharedWithHost keeps that.
void keepCopied(const Allocation& from, const void* source, std::size_t bytes);
// Keeps what kernels have stored in memory shared with the host; called after each launch.
void keepSharedWithHost();
// Changes the last bit of each word that kernels have stored, if the options ask for it; called
// after each launch, before the above.
void changeStored();

// Notes that bytes of `to` were written by something other than a kernel. `from` is the allocation
// they were copied from, or null.
void noteCopied(Allocation* to, const void* target, const Allocation* from, const void* source,
                std::size_t bytes);

}  // namespace cusim
