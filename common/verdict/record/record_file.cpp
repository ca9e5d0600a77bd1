#include "verdict/record/record_file.h"

#include "testing/printable.h"

namespace testing {
namespace {

// Limits how much a program can add to its report by forbidden attempts.
constexpr std::size_t kMostRemarks = 20;
constexpr std::size_t kMostRemarkBytes = 300;
constexpr std::size_t kMostFindings = 1000;
constexpr std::size_t kHeadBytes = 2 * sizeof(std::uint32_t);

}  // namespace

std::string entry(Entry kind, const std::string& content) {
    ByteWriter head;
    head(static_cast<std::uint32_t>(content.size()));
    head(kind);
    return head.bytes() + content;
}

RecordFile::RecordFile(std::string bytes) : bytes_(std::move(bytes)) {
    try {
        read();
    } catch (const Damaged& why) {
        damage_ = why.what();
    }
}

void RecordFile::read() {
    std::string_view rest = bytes_;
    if (rest.size() > kMostRecordBytes) throw Damaged("it is larger than any right one");
    // Part of the first line, or nothing: the program was ended before it began.
    if (rest.size() < kRecordBegins.size() && rest == kRecordBegins.substr(0, rest.size())) return;
    if (rest.substr(0, kRecordBegins.size()) != kRecordBegins)
        throw Damaged("it does not begin as a record does");
    rest.remove_prefix(kRecordBegins.size());
    while (rest.size() >= kHeadBytes) {
        ByteReader head(rest.substr(0, kHeadBytes));
        std::uint32_t length = 0, kind = 0;
        head(length), head(kind);
        rest.remove_prefix(kHeadBytes);
        if (length > rest.size()) return;
        // A program may still try something while it ends.
        if (ended_ && static_cast<Entry>(kind) != Entry::Remark)
            throw Damaged("it goes on after its end");
        add(static_cast<Entry>(kind), rest.substr(0, length));
        rest.remove_prefix(length);
    }
}

void RecordFile::add(Entry kind, std::string_view content) {
    ByteReader reader(content);
    Key key;
    const auto behindKey = [&] {
        reader(key);
        return content.substr(content.size() - reader.left());
    };
    switch (kind) {
        case Entry::Call:
            // A right program writes one; of two, either may be forged.
            if (const std::string_view call = behindKey(); !calls_.emplace(key, call).second)
                throw Damaged("it holds two results of one call");
            return;
        case Entry::Finding:
            if (const std::string_view one = behindKey(); findings_.size() < kMostFindings)
                findings_.emplace(key, one);
            return;
        case Entry::Remark:
            if (remarks_.size() < kMostRemarks)
                remarks_.push_back(printable(content.substr(0, kMostRemarkBytes)));
            return;
        case Entry::End:
            ended_ = true;
            return;
        case Entry::HandedOver:
            behindKey();
            handedOver_.insert(key);
            return;
    }
    throw Damaged("it holds an entry of an unknown kind");
}

const std::string_view* RecordFile::call(const Key& key) const {
    const auto found = calls_.find(key);
    return found == calls_.end() ? nullptr : &found->second;
}

std::vector<std::string_view> RecordFile::findings(const Key& key) const {
    std::vector<std::string_view> all;
    const auto [first, last] = findings_.equal_range(key);
    for (auto found = first; found != last; ++found) all.push_back(found->second);
    return all;
}

}  // namespace testing
