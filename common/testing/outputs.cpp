#include "testing/outputs.h"

#include <cstring>

#include "testing/printable.h"

namespace lab::outputs {

bool putInto(void* start, std::size_t size, std::string_view bytes) {
    if (bytes.size() != size) return false;
    if (size > 0) std::memcpy(start, bytes.data(), size);
    return true;
}

bool Text::put(void* object, std::string_view bytes) {
    if (bytes.size() > kMostText) return false;
    *static_cast<std::string*>(object) = testing::printable(bytes);
    return true;
}

}  // namespace lab::outputs
