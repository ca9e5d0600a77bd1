// The record of a student's program: what each call into student code came to. It begins with a
// line that says so; then come entries, each with its length, its kind and its content.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "verdict/record/bytes.h"

namespace testing {

inline constexpr std::string_view kRecordBegins = "CUDA lab record 1\n";

// More than any lab comes to; a longer one is damaged.
constexpr std::size_t kMostRecordBytes = std::size_t{256} << 20;

enum class Entry : std::uint32_t {
    Call = 1,  // key, and what the call came to
    Finding,   // key, and a finding of the call, written as it arose: of use where no Call follows
    Remark,    // a sentence about something that the program was kept from doing
    End,       // the program came to its end
};

// Which call: the how manieth of which test.
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

// An entry, ready to be written.
std::string entry(Entry kind, const std::string& content);

// A record, taken apart. The content of the entries is looked at only when somebody asks for it.
class RecordFile {
  public:
    // An entry that the file does not hold to its end is taken as not written: the program was
    // ended while it wrote.
    explicit RecordFile(std::string bytes);
    RecordFile(const RecordFile&) = delete;
    RecordFile& operator=(const RecordFile&) = delete;

    // What is wrong with the file; empty where it is sound. A damaged one proves nothing.
    const std::string& damage() const { return damage_; }

    // What follows the key in its Call; nothing where there is none.
    const std::string_view* call(const Key& key) const;
    // What follows the key in its Findings.
    std::vector<std::string_view> findings(const Key& key) const;
    const std::vector<std::string>& remarks() const { return remarks_; }
    bool cameToItsEnd() const { return ended_; }

  private:
    void read();
    void add(Entry kind, std::string_view content);

    std::string bytes_, damage_;
    std::map<Key, std::string_view> calls_;
    std::multimap<Key, std::string_view> findings_;
    std::vector<std::string> remarks_;
    bool ended_ = false;
};

}  // namespace testing
