// Counts what the host hands to the device in a call beside a test's matrices. As much as the
// result has elements may be the result: a kernel then computes nothing, whatever it does with it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "testing/outputs.h"

namespace host {

class HandedOver {
  public:
    // Takes the matrices that the call reads and gives, as they are before it.
    explicit HandedOver(const lab::Outputs& outputs);

    // Note bytes that the host copies to the device from this address, all of an allocation that
    // both sides have, a launch's arguments, and a call that fills device memory with a byte.
    void noteShared(int allocation, std::string_view bytes);
    void noteCopy(const void* from, std::string_view bytes);
    void noteLaunch(std::string_view arguments);
    void noteFill() { ++others_; }

    // Tests whether that may be the result of the call.
    bool mayBeResult() const;

  private:
    void learnWords();
    bool isOther(std::uint32_t word) const;

    std::vector<std::string_view> matrices_;
    std::unordered_set<std::uint32_t> words_;      // of the matrices, once they are asked for
    std::unordered_set<std::uint32_t> arguments_;  // of all launches so far
    std::map<int, std::string> shared_;            // as it was noted last, by allocation
    std::size_t readWords_ = 0, resultWords_ = 0;
    bool isCounted_ = false;  // else the result is too small to be judged by what is handed over
    std::size_t copiedWords_ = 0, others_ = 0;
    std::size_t launches_ = 0, argumentWords_ = 0;
};

}  // namespace host
