// Counts what the host hands to the device in a call, other than its matrices as they stand, and
// what it gives to the test, other than what it has received. If this has as many
// bytes as the result, it may contain the result: then the kernel may compute nothing.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "testing/outputs.h"

namespace host {

class HandedOver {
  public:
    // Takes the matrices that the call reads and gives, as they are before it, and how many bits
    // variables of the device may have kept from earlier calls.
    explicit HandedOver(const lab::Outputs& outputs, std::size_t keptBits = 0);

    // Note a call of the runtime, bytes that the host copies to the device from this address, all
    // of an allocation that both sides have in front of a call and after it, and what a launch is
    // given: its bytes, and how many bits of the arguments tell something.
    void noteCall() { ++calls_; }
    void noteCopy(const void* from, std::string_view bytes);
    void noteShared(int allocation, std::string_view bytes);
    void leaveShared(int allocation, std::string_view bytes);
    void noteLaunch(std::string_view given, std::size_t tellingBits);
    // Note bytes that the host receives from the device, and what stands in one of the call's
    // results at its end; `before` is that result as it was.
    void noteReceived(std::string_view bytes);
    void noteGiven(std::string_view before, std::string_view bytes);

    // Tests whether that may be the result of the call.
    bool mayBeResult() const;

    // Returns how many bits the next call may find in variables of the device.
    std::size_t bitsToKeep() const;

    // Tests whether the host may have learned from the time of each launch what it was not shown.
    bool mayHaveTimed() const;

  private:
    // Tests whether bytes that the host copies are the program's own, or a matrix's, as they were
    // before its code ran.
    bool isAsBefore(const void* from, std::string_view bytes) const;
    std::size_t bits() const;

    std::vector<std::string_view> matrices_, results_;
    std::vector<std::string> received_;
    std::map<int, std::string> shared_;  // as the device has left it, by allocation
    std::string lastLaunch_;
    std::size_t resultWords_ = 0, keptBits_ = 0;
    bool isCounted_ = false;  // else the result is too small to be judged by what is handed over
    std::size_t calls_ = 0, launches_ = 0, words_ = 0, bitsOfFirst_ = 0;
};

}  // namespace host
