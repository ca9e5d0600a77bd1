// Which values the host has got that a kernel has stored: a test can tell a result that was
// computed on the device from one that the host has made, also where the host moves it about
// afterwards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cusim {

struct Allocation;

// A set of 4-byte words.
class StoredValues {
  public:
    void add(std::uint32_t word);
    // In order, each once.
    const std::vector<std::uint32_t>& all();
    void replace(std::vector<std::uint32_t> words);

  private:
    void sort();

    std::vector<std::uint32_t> words_;
    std::size_t sorted_ = 0;  // so many at the beginning are in order, each once
};

// To be called where the host gets bytes from an allocation, before they can change: keeps those
// that kernels have stored. What host and device share, the host may change unseen, so that it is
// kept by keepSharedWithHost alone.
void keepCopied(const Allocation& from, const void* source, std::size_t bytes);
// At the end of each launch.
void keepSharedWithHost();

// To be called where bytes of an allocation are written by others than kernels; `from` is where
// they come from on the device, or null.
void noteCopied(Allocation* to, const void* target, const Allocation* from, const void* source,
                std::size_t bytes);

}  // namespace cusim
