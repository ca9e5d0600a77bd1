// Lists what a call into student code changes in a test's memory. The usual program makes the call
// itself and needs no list. Judging outside of the student's process (see verdict/record/README.md)
// takes two programs: one makes the call, and the test goes on in another one, which receives what
// the call has changed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "matrix/matrix.h"

namespace lab {

// The most bytes of a text that a call may give.
constexpr std::size_t kMostText = 1000;

class Outputs {
  public:
    // One of the test's objects. `bytes` returns its present bytes; `put` replaces them, and
    // returns false for bytes of another size. Only a text may change its size.
    struct Piece {
        void* object;
        std::string_view (*bytes)(const void* object);
        bool (*put)(void* object, std::string_view bytes);
    };

    template <class... Objects>
    explicit Outputs(Objects&... objects) : given_{pieceOf(objects)...} {}

    // Adds objects that the call only reads, so that the other program understands the device's
    // reports on them, such as "was copied from there".
    template <class... Objects>
    Outputs from(const Objects&... objects) && {
        (read_.push_back(pieceOf(const_cast<Objects&>(objects))), ...);
        return std::move(*this);
    }

    const std::vector<Piece>& given() const { return given_; }
    const std::vector<Piece>& read() const { return read_; }

  private:
    template <class T>
    static Piece pieceOf(T& object);

    std::vector<Piece> given_, read_;
};

// Names a call's outputs: lab::run(Todo(1), lab::gives(P).from(M),
// [&] { multiply(M.data(), P.data()); }). Matrices and vectors must have their size before the
// call.
template <class... Objects>
Outputs gives(Objects&... objects) {
    return Outputs(objects...);
}

namespace outputs {

// Copies the bytes to `start`. Returns false, and copies nothing, unless there are `size` of them.
bool putInto(void* start, std::size_t size, std::string_view bytes);

template <class T>
struct Plain {
    static_assert(std::is_arithmetic_v<T> || std::is_pointer_v<T>, "what else may a call give?");
    static_assert(!std::is_same_v<T, bool>, "any byte can come back; a bool knows only two");
    static std::string_view bytes(const void* object) {
        return {static_cast<const char*>(object), sizeof(T)};
    }
    static bool put(void* object, std::string_view bytes) {
        return putInto(object, sizeof(T), bytes);
    }
};

// Serves a matrix, or a vector of plain values.
template <class Array>
struct Elements {
    using Element = std::remove_reference_t<decltype(*std::declval<Array&>().data())>;
    static_assert(std::is_arithmetic_v<Element>);
    static std::string_view bytes(const void* object) {
        const auto& array = *static_cast<const Array*>(object);
        return {reinterpret_cast<const char*>(array.data()), array.size() * sizeof(Element)};
    }
    static bool put(void* object, std::string_view bytes) {
        auto& array = *static_cast<Array*>(object);
        return putInto(array.data(), array.size() * sizeof(Element), bytes);
    }
};

struct Text {
    static std::string_view bytes(const void* object) {
        return std::string_view(*static_cast<const std::string*>(object)).substr(0, kMostText);
    }
    static bool put(void* object, std::string_view bytes);
};

template <class T>
struct KindOf : Plain<T> {};
template <>
struct KindOf<matrix::Matrix> : Elements<matrix::Matrix> {};
template <class T>
struct KindOf<std::vector<T>> : Elements<std::vector<T>> {};
template <>
struct KindOf<std::string> : Text {};

}  // namespace outputs

template <class T>
Outputs::Piece Outputs::pieceOf(T& object) {
    return {&object, outputs::KindOf<T>::bytes, outputs::KindOf<T>::put};
}

}  // namespace lab
