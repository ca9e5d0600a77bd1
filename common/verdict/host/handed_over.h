// Counts what the host gives to the device in a call, other than its unchanged matrices, and what
// it gives to the test, other than received bytes. If this is as large as the result, it may
// contain the result: then the kernel may compute nothing.
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
    // Takes the matrices that the call reads and returns, as they are before it, and how many bits
    // variables of the device may have kept from earlier calls.
    explicit HandedOver(const lab::Outputs& outputs, std::size_t keptBits = 0);

    // Note a call of the runtime; bytes that the host copies to the device from this address; all
    // of an allocation that both sides have, before a call and after it; the arguments of a launch:
    // their bytes, and how many bits of them are information.
    void noteCall() { ++calls_; }
    void noteCopy(const void* from, std::string_view bytes);
    void noteShared(int allocation, std::string_view bytes);
    void leaveShared(int allocation, std::string_view bytes);
    void noteLaunch(std::string_view given, std::size_t informativeBits);
    // Note bytes that the host receives from the device, and one of the call's results at its end;
    // `before` is that result before the call.
    void noteReceived(std::string_view bytes);
    void noteGiven(std::string_view before, std::string_view bytes);

    // Tests whether that may be the result of the call.
    bool mayBeResult() const;

    // Returns how many bits the next call may find in variables of the device.
    std::size_t bitsToKeep() const;

    // Tests whether the host may have learned hidden numbers from the time of each launch.
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
    bool isCounted_ = false;  // otherwise the result is too small for this count
    std::size_t calls_ = 0, launches_ = 0, words_ = 0, bitsOfFirst_ = 0;
};

}  // namespace host
