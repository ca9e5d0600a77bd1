// The record of a student's program: the result of each call into student code. It begins with a
// line that names the format; then come entries, each with its length, kind and content.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "verdict/record/bytes.h"

namespace testing {

inline constexpr std::string_view kRecordBegins = "CUDA lab record 1\n";

// Exceeds the record of any lab; a longer one is damaged.
constexpr std::size_t kMostRecordBytes = std::size_t{256} << 20;

enum class Entry : std::uint32_t {
    Call = 1,    // key and result of a call
    Finding,     // key and a finding of the call, written as it arose, in case no Call follows
    Remark,      // a sentence about a forbidden attempt of the program
    End,         // written when the program ends
    HandedOver,  // key of a call whose result the host may have handed to the device
};

// Names a call by its test and its number within the test, from 1.
struct Key {
    std::string test;
    std::uint32_t number = 0;
    bool operator<(const Key& other) const {
        return test != other.test ? test < other.test : number < other.number;
    }
};

template <class Archive>
void each(Archive& archive, Key& key) {
    archive(key.test), archive(key.number);
}

// Returns the bytes of an entry.
std::string entry(Entry kind, const std::string& content);

// Splits a record into entries. Reads the content of an entry only when it is needed.
class RecordFile {
  public:
    // Takes the bytes of a whole file. Ignores an incomplete last entry, because the program may
    // have ended while it wrote.
    explicit RecordFile(std::string bytes);
    RecordFile(const RecordFile&) = delete;
    RecordFile& operator=(const RecordFile&) = delete;

    // Returns what is wrong with the file, or nothing. A damaged file proves nothing.
    const std::string& damage() const { return damage_; }

    // Returns the bytes after the key of its Call, or null.
    const std::string_view* call(const Key& key) const;
    bool isHandedOver(const Key& key) const { return handedOver_.count(key) > 0; }
    // Returns the bytes after the key of each of its Findings.
    std::vector<std::string_view> findings(const Key& key) const;
    const std::vector<std::string>& remarks() const { return remarks_; }
    bool cameToItsEnd() const { return ended_; }

  private:
    void read();
    void add(Entry kind, std::string_view content);

    std::string bytes_, damage_;
    std::map<Key, std::string_view> calls_;
    std::multimap<Key, std::string_view> findings_;
    std::set<Key> handedOver_;
    std::vector<std::string> remarks_;
    bool ended_ = false;
};

}  // namespace testing
