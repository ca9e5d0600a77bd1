// Replaces the numbers of a call in the process of host code: each word of its matrices, and each
// word from the device, is a meaningless other one there. Host code can move these words, but not
// compute with them; the device gets the numbers that they stand for.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "testing/outputs.h"

namespace host {

class Decoys {
  public:
    // Takes the matrices of a call, as they are before it.
    explicit Decoys(const lab::Outputs& outputs);

    // Writes the decoys into the matrices, in the process of host code.
    static void intoMatrices(const lab::Outputs& outputs);

    // Return bytes for the host with decoys instead of numbers, and bytes from the host with the
    // numbers instead of decoys.
    std::string hidden(std::string_view bytes);
    std::string shown(std::string_view bytes) const;

    // Do this in memory that both sides have: show the numbers while the device works, and hide
    // those that have changed since then.
    void showShared();
    void hideShared();

  private:
    struct Shared {
        std::string hidden, shown;
    };
    std::uint32_t decoyOf(std::uint32_t word);

    std::vector<std::uint32_t> words_;  // by the number of their decoy
    std::map<std::uint32_t, Shared> shared_;
};

}  // namespace host
