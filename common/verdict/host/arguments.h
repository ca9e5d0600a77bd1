// Arguments that the host's process sends: checked so that they cannot harm a function of the
// device. Each class throws testing::Damaged.
#pragma once

#include <optional>

#include "verdict/host/calls.h"

namespace host {

// Returns this address if it has a text in memory that nothing can write, as for a literal.
const char* checkedText(const char* text);
// Returns this place, whose texts were checked.
cusim::Where checkedPlace(const cusim::Where& at);

// A parameter that is a number, a handle, or an address that the function does not follow.
template <class T>
class Argument {
  public:
    Argument(testing::ByteReader& reader, bool) : value_(take<T>(reader)) {
        if constexpr (std::is_same_v<T, cusim::Where>) value_ = checkedPlace(value_);
    }
    T value() { return value_; }
    void giveBack(testing::ByteWriter&) const {}

  private:
    T value_;
};

// A parameter by which the function stores a value.
template <class T>
class Stored {
  public:
    Stored(testing::ByteReader& reader, bool mayBeNull) {
        const bool given = take<bool>(reader);
        if (given) value_ = take<T>(reader);
        // In the host's process the store to a null pointer crashes.
        if (!given && !mayBeNull) value_ = T{};
    }
    T* value() { return value_ ? &*value_ : nullptr; }
    void giveBack(testing::ByteWriter& writer) const {
        if (value_) put(writer, *value_);
    }

  private:
    std::optional<T> value_;
};

template <class T>
using ArgumentOf = std::conditional_t<kIsOut<T>, Stored<std::remove_pointer_t<T>>, Argument<T>>;

}  // namespace host
