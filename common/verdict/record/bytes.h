// Converts values into bytes and back. The reader trusts no byte: it checks every length against
// the remaining bytes. So any bytes give values or Damaged, and take at most a small multiple of
// their size in memory.
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace testing {

// Thrown by a reader; says what is wrong with the bytes.
struct Damaged : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Appends values to bytes. A function `each(archive, value)` names the members of a structure once,
// for writing and for reading.
class ByteWriter {
  public:
    template <class T>
    void operator()(const T& value) {
        if constexpr (std::is_same_v<T, bool>)
            bytes_ += value ? '\1' : '\0';
        else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>)
            bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
        else
            each(*this, const_cast<T&>(value));
    }
    void operator()(std::string_view text) {
        (*this)(static_cast<std::uint32_t>(text.size()));
        bytes_ += text;
    }
    void operator()(const std::string& text) { (*this)(std::string_view(text)); }
    template <class T>
    void operator()(const std::vector<T>& all) {
        (*this)(static_cast<std::uint32_t>(all.size()));
        if constexpr (std::is_arithmetic_v<T>)
            bytes_.append(reinterpret_cast<const char*>(all.data()), all.size() * sizeof(T));
        else
            for (const T& one : all) (*this)(one);
    }

    const std::string& bytes() const { return bytes_; }

  private:
    std::string bytes_;
};

// Takes values from bytes in the order in which they were written. Throws Damaged.
class ByteReader {
  public:
    explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

    template <class T>
    void operator()(T& value) {
        if constexpr (std::is_same_v<T, bool>) {
            value = take(1).front() != '\0';
        } else if constexpr (std::is_arithmetic_v<T>) {
            std::memcpy(&value, take(sizeof value).data(), sizeof value);
        } else {
            static_assert(!std::is_enum_v<T>, "read the number, and check it");
            each(*this, value);
        }
    }
    void operator()(std::string& text) { text = std::string(view()); }
    template <class T>
    void operator()(std::vector<T>& all) {
        const std::size_t count = number();
        if constexpr (std::is_arithmetic_v<T>) {
            if (count > rest_.size() / sizeof(T)) throw Damaged("a list is longer than the record");
            const std::string_view bytes = take(count * sizeof(T));
            all.resize(count);
            if (count > 0) std::memcpy(all.data(), bytes.data(), bytes.size());
        } else {
            all.clear();
            // Grows with the bytes, because each element takes at least one.
            for (std::size_t i = 0; i < count; ++i) {
                if (rest_.empty()) throw Damaged("a list is longer than the record");
                (*this)(all.emplace_back());
            }
        }
    }
    // Returns a text without copying it.
    std::string_view view() { return take(number()); }

    std::size_t left() const { return rest_.size(); }

  private:
    std::size_t number() {
        std::uint32_t n = 0;
        (*this)(n);
        return n;
    }
    std::string_view take(std::size_t n) {
        if (n > rest_.size()) throw Damaged("it ends in the middle");
        const std::string_view taken = rest_.substr(0, n);
        rest_.remove_prefix(n);
        return taken;
    }

    std::string_view rest_;
};

}  // namespace testing
