// Stands in for the numbers of a call in the process of host code: each word of its matrices, and
// each that the device gives it, is another one there, which says nothing. Host code can move these
// words, and compute nothing with them; the device gets the numbers that they stand for.
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

    // Puts the decoys into the matrices: in the process of host code.
    static void intoMatrices(const lab::Outputs& outputs);

    // Return bytes for the host, without a number in them, and bytes that the host has sent, with
    // the numbers for which their words stand.
    std::string hidden(std::string_view bytes);
    std::string shown(std::string_view bytes) const;

    // Do this in the memory that both sides have: show it while the device works, and hide what
    // has changed since then.
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
