// The bytes of an array that are padding, by the elements as which kernels take its parts.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "simulator/include/cusim/padding.h"

namespace cusim {

class Paddings {
  public:
    // Notes that elements begin at an offset. They end where others begin. Returns where elements
    // of the type, in line with these, began before; SIZE_MAX if none did. Ignores those of a
    // seventeenth kind, which is a type and where its elements begin modulo their size.
    std::size_t note(std::size_t offset, std::size_t elementBytes, detail::Members members);
    // Tests whether a byte lies between the members of an element.
    bool has(std::size_t offset) const;
    bool empty() const { return count_ == 0; }
    void forget() { count_ = 0; }

  private:
    struct Elements {
        std::atomic<std::size_t> offset;
        std::size_t bytes;
        detail::Members members;
        const unsigned char* isMember;  // by byte of an element

        // Tests whether one of them may begin at another offset.
        bool isOf(std::size_t other, detail::Members its) const {
            return members == its && offset % bytes == other % bytes;
        }
    };
    Elements all_[16];
    std::atomic<int> count_{0};
};

}  // namespace cusim
