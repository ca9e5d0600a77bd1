// The bytes of an array that are padding, by the elements as which its parts are taken.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <shared_mutex>

#include "simulator/include/cusim/padding.h"

namespace cusim {

// How unset padding may be read. Who reads padding alone may take these bytes for something else.
enum class Excuse : std::uint8_t { None, WithMembers, Alone };

class Paddings {
  public:
    // Notes that elements begin at an offset. They end where others of their type begin, such as
    // those of the next row.
    void note(std::size_t offset, std::size_t elementBytes, detail::Members members, Excuse excuse);
    // Returns how a byte may be read unset.
    Excuse at(std::size_t offset) const;
    bool empty() const;
    void forget();

  private:
    struct Elements {
        std::size_t bytes = 0;
        const unsigned char* isMember = nullptr;  // by byte of an element
        // Where they begin, and from where on their padding may be read alone.
        std::set<std::size_t> begin = {};
        std::size_t alone = SIZE_MAX;
    };

    mutable std::shared_mutex mutex_;
    std::map<detail::Members, Elements> byType_;
};

}  // namespace cusim
