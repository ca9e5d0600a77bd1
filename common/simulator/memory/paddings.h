// The padding bytes of an array, by the element types that kernels access in it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>

#include "simulator/include/cusim/padding.h"

namespace cusim {

class Paddings {
  public:
    // Notes that elements begin at an offset. They end where those of another type begin. Returns
    // the offset at which aligned elements of the type began before; SIZE_MAX if none did.
    std::size_t note(std::size_t offset, std::size_t elementBytes, detail::Members members);
    // Tests whether a byte is between the members of an element. Elements of a type may begin at
    // several alignments, for example one per row, and have padding in each of them.
    bool has(std::size_t offset) const;
    bool empty() const { return newest_.load() == nullptr; }
    void forget();

  private:
    // A type and where its elements begin, modulo their size.
    struct Line {
        std::atomic<std::size_t> first;
        std::size_t bytes;
        detail::Members members;
        const unsigned char* isMember;  // by byte of an element
        const Line* before;             // that was noted

        Line(std::size_t offset, std::size_t elementBytes, detail::Members its, const Line* last)
            : first(offset), bytes(elementBytes), members(its), isMember(its()), before(last) {}
        bool holds(std::size_t offset, detail::Members its) const {
            return members == its && first % bytes == offset % bytes;
        }
        bool isPadding(std::size_t offset) const {
            return first <= offset && isMember[(offset - first) % bytes] == 0;
        }
    };
    template <class Test>
    const Line* find(const Test& test) const;

    std::deque<Line> all_;
    std::atomic<const Line*> newest_{nullptr};
};

}  // namespace cusim
