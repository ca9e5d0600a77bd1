// Reads the program's own line table: DWARF 5, section 6.2 ("Line Number Information"); versions 2
// to 4 differ in what is skipped here.
#include "simulator/memory/columns.h"

#include <cstdint>
#include <cstring>
#include <mutex>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "simulator/memory/symbols.h"

namespace cusim {
namespace {

// Reads numbers from bytes; past their end all are 0.
class Bytes {
  public:
    explicit Bytes(std::string_view rest) : rest_(rest) {}

    bool empty() const { return rest_.empty(); }
    template <class T>
    T take() {
        T value{};
        if (rest_.size() < sizeof value) return rest_ = {}, value;
        std::memcpy(&value, rest_.data(), sizeof value);
        rest_.remove_prefix(sizeof value);
        return value;
    }
    // Returns the next `count` bytes, or fewer at the end.
    std::string_view take(std::uint64_t count) {
        const std::string_view taken = rest_.substr(0, count);
        rest_.remove_prefix(taken.size());
        return taken;
    }
    std::uint64_t number() {  // LEB128; a signed one is taken as an unsigned one
        std::uint64_t value = 0;
        for (unsigned shift = 0; !empty(); shift += 7) {
            const auto byte = take<std::uint8_t>();
            if (shift < 64) value |= std::uint64_t{byte & 0x7FU} << shift;
            if (!(byte & 0x80)) break;
        }
        return value;
    }

  private:
    std::string_view rest_;
};

// Runs the line program of one unit; returns the column of the row that contains the address.
std::optional<int> columnInUnit(Bytes unit, bool wide, std::uintptr_t wanted) {
    if (unit.take<std::uint16_t>() >= 5) unit.take(2);  // sizes of an address and a selector
    const std::uint64_t header = wide ? unit.take<std::uint64_t>() : unit.take<std::uint32_t>();
    Bytes fields(unit.take(header));
    const std::uint64_t step = fields.take<std::uint8_t>();
    fields.take(3);  // operations an instruction, is_stmt, line_base: the last for lines alone
    const unsigned lineRange = fields.take<std::uint8_t>();
    const unsigned firstSpecial = fields.take<std::uint8_t>();
    const std::string_view operands = fields.take(firstSpecial > 0 ? firstSpecial - 1 : 0);
    if (lineRange == 0 || operands.size() + 1 != firstSpecial) return std::nullopt;

    std::uintptr_t address = 0, rowAddress = 0;
    int column = 0, rowColumn = 0;
    bool inSequence = false;
    // Ends the previous row; returns whether it contains the address.
    const auto isInLastRow = [&] {
        const bool found = inSequence && rowAddress <= wanted && wanted < address;
        rowAddress = address, rowColumn = column, inSequence = true;
        return found;
    };
    while (!unit.empty()) {
        const int last = rowColumn;
        const unsigned operation = unit.take<std::uint8_t>();
        bool row = operation == 1;  // DW_LNS_copy
        if (operation >= firstSpecial) {
            address += (operation - firstSpecial) / lineRange * step;
            row = true;
        } else if (operation == 0) {  // an extended one
            Bytes extended(unit.take(unit.number()));
            const auto which = extended.take<std::uint8_t>();
            if (which == 2) address = extended.take<std::uintptr_t>();  // DW_LNE_set_address
            if (which != 1) continue;                                   // DW_LNE_end_sequence
            if (isInLastRow()) return last;
            address = 0, column = 0, inSequence = false;
        } else if (operation == 2) {  // DW_LNS_advance_pc
            address += unit.number() * step;
        } else if (operation == 5) {  // DW_LNS_set_column
            column = static_cast<int>(unit.number());
        } else if (operation == 8) {  // DW_LNS_const_add_pc
            address += (255 - firstSpecial) / lineRange * step;
        } else if (operation == 9) {  // DW_LNS_fixed_advance_pc
            address += unit.take<std::uint16_t>();
        } else if (!row) {
            for (int i = 0; i < operands[operation - 1]; ++i) unit.number();
        }
        if (row && isInLastRow()) return last;
    }
    return std::nullopt;
}

int columnInTable(std::uintptr_t wanted) {
    Bytes table(programSection(".debug_line"));
    while (!table.empty()) {
        std::uint64_t length = table.take<std::uint32_t>();
        const bool wide = length == 0xFFFFFFFF;  // the 64-bit format
        if (wide) length = table.take<std::uint64_t>();
        if (const auto column = columnInUnit(Bytes(table.take(length)), wide, wanted))
            return *column;
    }
    return 0;
}

}  // namespace

int columnOf(const void* returnAddress) {
    // Caches: the table is long, and a place may have a finding in each launch.
    static std::mutex mutex;
    static auto* const known = new std::unordered_map<const void*, int>;
    const std::lock_guard<std::mutex> lock(mutex);
    const auto [found, isNew] = known->try_emplace(returnAddress);
    // The call ends one byte before its return address.
    if (isNew)
        found->second =
            columnInTable(reinterpret_cast<std::uintptr_t>(returnAddress) - programBase() - 1);
    return found->second;
}

}  // namespace cusim
