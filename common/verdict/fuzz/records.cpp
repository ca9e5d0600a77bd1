#include "verdict/fuzz/records.h"

#include "verdict/tests/sample_report.h"

namespace fuzz {
namespace {

constexpr std::size_t kElements = 48;
const std::string matrixOfTest(kElements * sizeof(float), 'm');

cusim::Report report() { return sample::report(matrixOfTest.data()); }

std::string keyed(testing::Entry kind, const testing::Key& key, const std::string& content) {
    testing::ByteWriter writer;
    writer(key);
    return testing::entry(kind, writer.bytes() + content);
}

}  // namespace

const testing::KnownMemory& known() {
    static const testing::KnownMemory memory{matrixOfTest};
    return memory;
}

std::string bytesOf(const cusim::Report& report) {
    testing::ByteWriter writer;
    testing::write(writer, report, known());
    return writer.bytes();
}

const std::vector<testing::Key>& keys() {
    static const std::vector<testing::Key> all{{"a", 1}, {"a", 2}, {"b", 1}};
    return all;
}

std::vector<std::string> reportSeeds() { return {bytesOf(report()), bytesOf({})}; }

std::vector<std::string> recordSeeds() {
    testing::ByteWriter finding;
    testing::write(finding, report().findings.front());
    std::string record(testing::kRecordBegins);
    record += keyed(testing::Entry::Finding, keys()[0], finding.bytes());
    record += keyed(testing::Entry::Call, keys()[0], bytesOf(report()));
    record += keyed(testing::Entry::Call, keys()[2], bytesOf({}));
    record += testing::entry(testing::Entry::Remark, "the program tried to fork");
    return {record + testing::entry(testing::Entry::End, ""), std::string(testing::kRecordBegins)};
}

}  // namespace fuzz
