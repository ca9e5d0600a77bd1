// Tests that a record's reader trusts no byte: any bytes give what they hold, or damage.
#include <random>

#include "testing/catch.h"
#include "verdict/record/record_file.h"
#include "verdict/record/report_format.h"
#include "verdict/tests/sample_report.h"

using sample::report;
using testing::Entry;
using testing::Key;
using testing::RecordFile;

namespace {

std::string callOf(const std::string& test, std::uint32_t number, const std::string& content) {
    testing::ByteWriter writer;
    writer(Key{test, number});
    return testing::entry(Entry::Call, writer.bytes() + content);
}

std::string begun() { return std::string(testing::kRecordBegins); }

std::string bytesOf(const cusim::Report& r, const testing::KnownMemory& known = {}) {
    testing::ByteWriter writer;
    testing::write(writer, r, known);
    return writer.bytes();
}

cusim::Report readBack(const std::string& bytes, const testing::KnownMemory& known = {}) {
    testing::ByteReader reader(bytes);
    return testing::readReport(reader, known);
}

}  // namespace

TEST_CASE("a call is found by its test and number, with its content") {
    const RecordFile file(begun() + callOf("a", 1, "first") + callOf("a", 2, "second"));
    CHECK(file.damage().empty());
    REQUIRE(file.call({"a", 2}));
    CHECK(*file.call({"a", 2}) == "second");
    CHECK(!file.call({"a", 3}));
    CHECK(!file.call({"b", 1}));
}

TEST_CASE("a call whose result the host may have handed over is marked") {
    testing::ByteWriter writer;
    writer(Key{"a", 2});
    const RecordFile file(begun() + testing::entry(Entry::HandedOver, writer.bytes()));
    CHECK(file.damage().empty());
    CHECK(file.isHandedOver({"a", 2}));
    CHECK(!file.isHandedOver({"a", 1}));
}

TEST_CASE("a record may end anywhere: what is written before counts") {
    const std::string first = begun() + callOf("a", 1, "first");
    const std::string whole = first + callOf("a", 2, "second");
    for (std::size_t size = 0; size < whole.size(); ++size) {
        const RecordFile file(whole.substr(0, size));
        CHECK(file.damage().empty());
        CHECK((file.call({"a", 1}) != nullptr) == (size >= first.size()));
        CHECK(!file.call({"a", 2}));
        CHECK(!file.cameToItsEnd());
    }
}

TEST_CASE("two results of one call damage the record") {
    CHECK(!RecordFile(begun() + callOf("a", 1, "") + callOf("a", 1, "")).damage().empty());
}

TEST_CASE("what is no record, or goes on after its end, is damaged") {
    CHECK(!RecordFile("17 passed, 0 failed\n").damage().empty());
    const std::string end = testing::entry(Entry::End, "");
    CHECK(RecordFile(begun() + end).cameToItsEnd());
    CHECK(!RecordFile(begun() + end + callOf("a", 1, "")).damage().empty());
    CHECK(!RecordFile(begun() + testing::entry(static_cast<Entry>(99), "")).damage().empty());
}

TEST_CASE("remarks are known also of a damaged record, and hold no control characters") {
    const RecordFile file(begun() + testing::entry(Entry::Remark, "a\033[31m\nb") +
                          testing::entry(static_cast<Entry>(99), ""));
    CHECK(!file.damage().empty());
    REQUIRE(file.remarks().size() == 1);
    CHECK(file.remarks().front() == "a?[31m?b");
}

TEST_CASE("a report comes back as it was") {
    const cusim::Report back = readBack(bytesOf(report()));
    CHECK(bytesOf(back) == bytesOf(report()));
    CHECK(back.launches.at(0).arrays.at(0).elementLoads.at(2) == 3);
    CHECK(back.findings.at(0).details.at(1) == "two");
    CHECK(std::string(back.launches.at(0).at.file) == "kernel.cu");
}

TEST_CASE("an address in known memory is one of the reader's; any other stays a number") {
    const std::string here = "of the writer", there = "of the reader";
    cusim::Report r = report();
    r.launches[0].arrays[0].copiedFrom = here.data() + 3;
    r.launches[0].arrays[1].copiedTo = reinterpret_cast<const void*>(std::uintptr_t{4096});
    const cusim::Report back = readBack(bytesOf(r, {here}), {there});
    CHECK(back.launches[0].arrays[0].copiedFrom == there.data() + 3);
    CHECK(back.launches[0].arrays[1].copiedTo ==
          reinterpret_cast<const void*>(std::uintptr_t{4096}));
    CHECK_THROWS_AS(readBack(bytesOf(r, {here}), {}), testing::Damaged);
}

TEST_CASE("text of a report is fit to be shown") {
    cusim::Report r = report();
    r.findings[0].title =
        "\033]0;title\a \xc2\x9b"
        "31m";
    CHECK(readBack(bytesOf(r)).findings[0].title == "?]0;title? ??31m");
}

TEST_CASE("a launch without threads, or a copy of more than all memory, is no device's") {
    cusim::Report r = report();
    r.launches[0].block = dim3(0, 1, 1);
    CHECK_THROWS_AS(readBack(bytesOf(r)), testing::Damaged);
    r.findings[0].kind = "invalid-launch";
    CHECK_NOTHROW(readBack(bytesOf(r)));
    r.streamSteps[0].bytes = std::size_t{1} << 60;
    CHECK_THROWS_AS(readBack(bytesOf(r)), testing::Damaged);
}

TEST_CASE("any other bytes are a report or damaged, and take little memory") {
    const std::string good = bytesOf(report());
    std::mt19937 random(1);
    int damaged = 0;
    for (int i = 0; i < 20000; ++i) {
        std::string bytes = good;
        for (unsigned changes = 1 + random() % 4; changes > 0; --changes)
            bytes[random() % bytes.size()] = static_cast<char>(random() % 3 ? random() : 0xff);
        if (random() % 4 == 0) bytes.resize(random() % bytes.size());
        try {
            readBack(bytes);
        } catch (const testing::Damaged&) {
            ++damaged;
        }
        const RecordFile file(begun() + bytes);
    }
    CHECK(damaged > 1000);
}
