// Tests that the device believes nothing that the process of the host says: what no call of
// student's code sends harms nothing and ends the call.
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <numeric>
#include <thread>

#include "simulator/engine/runtime.h"
#include "simulator/engine/watchdog.h"
#include "testing/catch.h"
#include "verdict/guard/guard.h"
#include "verdict/host/calls.h"
#include "verdict/host/handed_over.h"
#include "verdict/host/messages.h"
#include "verdict/host/serving.h"
#include "verdict/record/report_format.h"

namespace guard {
void remark(const char*) {}
void remarkOn(long) {}
}  // namespace guard

namespace {

using host::Say;
using testing::ByteWriter;
using testing::Damaged;

// A variable, a function and a text of this program.
float ofFile[4];
void noKernel(float*) {}
void otherKernel(float*) {}
constexpr cusim::Where kHere{"kernel.cu", 1};

template <auto function>
ByteWriter callOf() {
    ByteWriter writer;
    writer(host::numberOf<function>(host::Forwarded{}));
    return writer;
}

std::string done(std::string_view output) {
    ByteWriter writer;
    testing::write(writer, cusim::Outcome{});
    writer(output);
    writer(false);
    return writer.bytes();
}

// Plays the host: says all this, then ends. Returns what came of the call, whose output is an int.
int saying(const std::vector<std::pair<Say, std::string>>& all) {
    cusim::reset();
    int ends[2];
    REQUIRE(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    signal(SIGPIPE, SIG_IGN);
    // What is long waits until it is read.
    std::thread speaking([&] {
        try {
            for (const auto& [what, content] : all) host::send(ends[1], what, content);
        } catch (const host::Closed&) {  // the device listens no more
        }
        shutdown(ends[1], SHUT_WR);
    });
    struct Closing {
        const int* ends;
        std::thread& speaking;
        ~Closing() { close(ends[0]), speaking.join(), close(ends[1]); }
    } const closing{ends, speaking};
    int output = 1;
    host::serveUntilDone(ends[0], lab::gives(output));
    return output;
}

int saying(Say what, const std::string& content) { return saying({{what, content}}); }
int calling(const ByteWriter& call) {
    return saying({{Say::Call, call.bytes()}, {Say::Done, done({"\2\0\0\0", 4})}});
}

ByteWriter allocation(cusim::MemoryKind kind, const cusim::Where& at) {
    ByteWriter call = callOf<&cusim::allocate>();
    host::put(call, true), host::put(call, static_cast<void*>(nullptr));
    host::put(call, std::size_t{64}), host::put(call, kind), host::put(call, at);
    host::put(call, false), host::put(call, cudaStream_t{});
    return call;
}

ByteWriter variable(const void* start, std::size_t bytes, const char* name) {
    ByteWriter call = callOf<&cusim::registerVariable>();
    host::put(call, start), host::put(call, bytes), host::put(call, name);
    host::put(call, cusim::MemoryKind::DeviceVariable), host::put(call, kHere);
    return call;
}

using Packed = cusim::detail::Packed<void (*)(float*), float*>;

ByteWriter launch(const cusim::KernelCall& kernel, const Packed& packed) {
    ByteWriter call = callOf<&cusim::run>();
    host::put(call, cusim::LaunchConfig{dim3(1), dim3(1)}), host::put(call, kernel);
    call(std::string_view(reinterpret_cast<const char*>(&packed), sizeof packed));
    return call;
}

cusim::KernelCall kernelCall() {
    return {"noKernel",        kHere,   reinterpret_cast<const void*>(&noKernel),
            &Packed::invoke,   nullptr, sizeof(Packed),
            &Packed::pointers, 1,       &Packed::numbers};
}

}  // namespace

TEST_CASE("a right call is done, and its output taken") {
    CHECK(calling(allocation(cusim::MemoryKind::Device, kHere)) == 2);
    CHECK(cusim::calls() == std::vector<std::string>{"cudaMalloc"});
}

TEST_CASE("a process that ends before its call is not taken for one that says something wrong") {
    CHECK_THROWS_AS(saying({}), host::Closed);
    CHECK_THROWS_AS(saying(Say::Done, done("123")), Damaged);
    CHECK_THROWS_AS(saying(Say::Done, ""), Damaged);
}

TEST_CASE("a message of an unknown kind, or that nothing has asked for, is refused") {
    for (const Say what : {Say::Bytes, Say::Called, Say::Answer, Say::Read, static_cast<Say>(99)})
        CHECK_THROWS_AS(saying(what, "1234"), Damaged);
}

TEST_CASE("a function that does not exist, or without its arguments, is refused") {
    ByteWriter unknown;
    unknown(std::uint32_t{1000});
    CHECK_THROWS_AS(calling(unknown), Damaged);
    CHECK_THROWS_AS(calling(callOf<&cudaMemcpy>()), Damaged);
}

TEST_CASE("memory of a kind that no call asks for is refused") {
    CHECK_THROWS_AS(calling(allocation(cusim::MemoryKind::ConstantVariable, kHere)), Damaged);
    CHECK_THROWS_AS(calling(allocation(static_cast<cusim::MemoryKind>(77), kHere)), Damaged);
}

TEST_CASE("a place is a text of the program's that nothing can write") {
    static char written[] = "kernel.cu";
    for (const char* file : {static_cast<const char*>(written), reinterpret_cast<const char*>(8)})
        CHECK_THROWS_AS(calling(allocation(cusim::MemoryKind::Device, {file, 1})), Damaged);
    CHECK_THROWS_AS(calling(allocation(cusim::MemoryKind::Device, {"kernel.cu", 1, written})),
                    Damaged);
}

TEST_CASE("a copy from the host has the bytes that it said") {
    int start = 0;
    CHECK(calling(variable(ofFile, sizeof ofFile, "ofFile")) == 2);
    ByteWriter copy = callOf<&cusim::copyToSymbol>();
    host::put(copy, static_cast<const void*>(ofFile));
    host::put(copy, static_cast<const void*>(&start));
    host::put(copy, sizeof(int)), host::put(copy, std::size_t{0});
    host::put(copy, cusim::SymbolCopy{cudaMemcpyHostToDevice}), host::put(copy, kHere);
    const std::pair<Say, std::string> end{Say::Done, done({"\2\0\0\0", 4})};
    CHECK(saying({{Say::Call, copy.bytes()}, {Say::Bytes, std::string(4, 7)}, end}) == 2);
    CHECK_THROWS_AS(saying({{Say::Call, copy.bytes()}, {Say::Bytes, "12345"}, end}), Damaged);
    // Host code that crashes by the address that it gave ends its call, as elsewhere.
    CHECK(saying({{Say::Call, copy.bytes()}, end}) == 2);
}

TEST_CASE("a copy that is longer than a part goes in parts") {
    constexpr std::size_t kPart = std::size_t{4} << 20;
    static char large[kPart + 4], copied[sizeof large];
    CHECK(calling(variable(large, sizeof large, "large")) == 2);
    ByteWriter copy = callOf<&cusim::copyToSymbol>();
    host::put(copy, static_cast<const void*>(large));
    host::put(copy, static_cast<const void*>(copied));
    host::put(copy, sizeof large), host::put(copy, std::size_t{0});
    host::put(copy, cusim::SymbolCopy{cudaMemcpyHostToDevice}), host::put(copy, kHere);
    CHECK(saying({{Say::Call, copy.bytes()},
                  {Say::Bytes, std::string(kPart, 7)},
                  {Say::Bytes, std::string(4, 8)},
                  {Say::Done, done({"\2\0\0\0", 4})}}) == 2);
    CHECK(large[kPart - 1] == 7);
    CHECK(large[kPart] == 8);
}

TEST_CASE("a variable of the device is one of the file's, whole") {
    const auto* const start = reinterpret_cast<const char*>(ofFile);
    CHECK_THROWS_AS(calling(variable(start, sizeof ofFile + 1, "x")), Damaged);
    CHECK_THROWS_AS(calling(variable(start + 4, 4, "x")), Damaged);
    CHECK_THROWS_AS(calling(variable(&start, sizeof start, "x")), Damaged);
    CHECK_THROWS_AS(calling(variable(start, 0, "x")), Damaged);
}

TEST_CASE("a launch goes by the functions that the compiler made for it, to the kernel it names") {
    const Packed packed{&noKernel, {{nullptr}}};
    CHECK(calling(launch(kernelCall(), packed)) == 2);
    cusim::KernelCall other = kernelCall();
    other.invoke = [](const void*) {};
    CHECK_THROWS_AS(calling(launch(other, packed)), Damaged);
    other = kernelCall();
    other.pointers = [](const void*, const void**) {};
    CHECK_THROWS_AS(calling(launch(other, packed)), Damaged);
    other = kernelCall();
    other.function = reinterpret_cast<const void*>(&otherKernel);
    CHECK_THROWS_AS(calling(launch(other, packed)), Damaged);
}

TEST_CASE("a launch that counts too few parameters writes after none of its lists") {
    cusim::KernelCall few = kernelCall();
    few.parameters = 0;
    few.argumentBytes = 1;
    CHECK(calling(launch(few, Packed{&noKernel, {{nullptr}}})) == 2);
}

namespace {

std::string_view bytesOfFloats(const std::vector<float>& all) {
    return {reinterpret_cast<const char*>(all.data()), all.size() * sizeof(float)};
}

// Returns whether what note(HandedOver&) notes may be a result of this size.
template <class Note>
bool mayBeResult(std::size_t size, const Note& note) {
    std::vector<float> result(size), read(512);
    host::HandedOver handedOver(lab::gives(result).from(read));
    note(handedOver);
    return handedOver.mayBeResult();
}

// Returns the same for launches that are given so many words, the first of them always new; all
// tell something.
bool tellsByLaunches(std::uint32_t launches, std::uint32_t newWords, std::uint32_t same) {
    return mayBeResult(2048, [&](host::HandedOver& handedOver) {
        for (std::uint32_t word = 1 << 20, launch = 0; launch < launches; ++launch) {
            std::vector<std::uint32_t> words;
            for (std::uint32_t i = 0; i < newWords; ++i) words.push_back(++word);
            words.resize(newWords + same, 7);
            const std::string_view given{reinterpret_cast<const char*>(words.data()),
                                         4 * words.size()};
            handedOver.noteLaunch(given, 8 * given.size());
        }
    });
}

}  // namespace

TEST_CASE("an eighth as many numbers as the result has may be the result, but for the matrices") {
    std::vector<float> numbers(256);
    std::iota(numbers.begin(), numbers.end(), 0.5f);
    const auto copied = [&](std::size_t size, const void* from) {
        return mayBeResult(size, [&](host::HandedOver& handedOver) {
            handedOver.noteCopy(from, bytesOfFloats(numbers));
        });
    };
    CHECK(copied(2048, nullptr));
    CHECK(copied(2048, numbers.data()));  // it stood there, and may have been computed before
    CHECK_FALSE(copied(4096, nullptr));
    CHECK(copied(16, nullptr));
    CHECK_FALSE(copied(15, nullptr));  // too small to be counted
    numbers.assign(256, 1.5f);
    CHECK_FALSE(copied(2048, nullptr));  // one number, to fill memory with
}

TEST_CASE("a matrix may be copied whole or in part, as it was before the call") {
    std::vector<float> read(512), result(2048);
    std::iota(read.begin(), read.end(), 0.5f);
    const auto copied = [&](const std::vector<float>& bytes, std::size_t first, std::size_t size) {
        host::HandedOver handedOver(lab::gives(result).from(read));
        for (int times = 0; times < 3; ++times)
            handedOver.noteCopy(&read[first], bytesOfFloats(bytes).substr(4 * first, 4 * size));
        return handedOver.mayBeResult();
    };
    CHECK_FALSE(copied(read, 0, 512));
    CHECK_FALSE(copied(read, 100, 400));
    std::vector<float> changed = read;
    for (float& one : changed) one *= 3;
    CHECK(copied(changed, 100, 400));
    CHECK(copied(changed, 0, 512));
}

TEST_CASE("a table of the program's may be copied") {
    static constexpr auto table = [] {
        std::array<float, 512> all{};
        for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<float>(i) + 0.5f;
        return all;
    }();
    CHECK_FALSE(mayBeResult(2048, [&](host::HandedOver& handedOver) {
        handedOver.noteCopy(table.data(), {reinterpret_cast<const char*>(table.data()), 2048});
    }));
}

TEST_CASE("what the host gives beside what it has received counts as made by it") {
    std::vector<float> result(64, -1), read(64), made(64);
    std::iota(made.begin(), made.end(), 0.5f);
    const auto given = [&](std::size_t received, std::size_t changed) {
        host::HandedOver handedOver(lab::gives(result).from(read));
        for (std::size_t row = 0; row < received; row += 16)
            handedOver.noteReceived(bytesOfFloats(made).substr(4 * row, 64));
        std::vector<float> last = result;
        std::copy_n(made.begin(), received, last.begin());
        for (std::size_t i = 0; i < changed; ++i) last[last.size() - 1 - i] += 1;
        handedOver.noteGiven(bytesOfFloats(result), bytesOfFloats(last));
        return handedOver.mayBeResult();
    };
    CHECK_FALSE(given(64, 0));
    CHECK_FALSE(given(64, 7));
    CHECK(given(64, 8));
    host::HandedOver nothing(lab::gives(result).from(read));
    nothing.noteGiven(bytesOfFloats(result), bytesOfFloats(made));
    CHECK(nothing.mayBeResult());
}

TEST_CASE("what a call hands over may be found in a variable of the device by the next one") {
    std::vector<float> result(2048), read(512);
    const auto kept = [&](std::size_t calls) {
        std::size_t bits = 0;
        while (calls-- > 0) {
            host::HandedOver handedOver(lab::gives(result).from(read), bits);
            std::vector<float> numbers(64);
            std::iota(numbers.begin(), numbers.end(), 0.5f);
            handedOver.noteCopy(nullptr, bytesOfFloats(numbers));
            bits = handedOver.bitsToKeep();
        }
        return host::HandedOver(lab::gives(result).from(read), bits).mayBeResult();
    };
    CHECK(kept(6));
    CHECK_FALSE(kept(5));
}

TEST_CASE("of a first launch those bits are counted that tell something") {
    const auto launched = [](std::size_t bits) {
        return mayBeResult(64, [&](host::HandedOver& handedOver) {
            handedOver.noteLaunch("its bytes, however many they are", bits);
        });
    };
    CHECK(launched(256));
    CHECK_FALSE(launched(255));
}

TEST_CASE("a launch for two elements may tell the time of a small result, for sixteen of others") {
    const auto timed = [](std::size_t size, int launches) {
        std::vector<float> result(size), read(size);
        host::HandedOver handedOver(lab::gives(result).from(read));
        while (launches-- > 0) handedOver.noteLaunch("", 0);
        return handedOver.mayHaveTimed();
    };
    CHECK(timed(64, 33));
    CHECK_FALSE(timed(64, 32));
    CHECK(timed(2048, 129));
    CHECK_FALSE(timed(2048, 128));
}

TEST_CASE("in memory of both sides the host hands over what it changes") {
    const auto changed = [&](std::size_t words) {
        return mayBeResult(4096, [&](host::HandedOver& handedOver) {
            std::vector<float> now(512);
            handedOver.leaveShared(1, bytesOfFloats(now));
            for (std::size_t done = 0; done < words; ++done) {
                now[done % now.size()] = static_cast<float>(done) + 0.5f;
                handedOver.noteShared(1, bytesOfFloats(now));
            }
        });
    };
    CHECK(changed(512));
    CHECK_FALSE(changed(511));
}

TEST_CASE("launches that hand over the result are seen, however little each of them has") {
    CHECK(tellsByLaunches(2048, 1, 0));
    CHECK(tellsByLaunches(60, 20, 10));
    CHECK(tellsByLaunches(1, 600, 0));
    CHECK_FALSE(tellsByLaunches(60, 4, 10));
    CHECK_FALSE(tellsByLaunches(60, 0, 30));
}

TEST_CASE("very many calls of the runtime tell the result by what they name") {
    const auto calls = [](int count) {
        return mayBeResult(2048, [&](host::HandedOver& handedOver) {
            while (count-- > 0) handedOver.noteCall();
        });
    };
    CHECK(calls(100));
    CHECK_FALSE(calls(80));
}

TEST_CASE("The watchdog spares a process that waits for the device, and stops another one") {
    for (const bool asks : {true, false}) {
        cusim::hostProgress().asks = asks;
        const pid_t child = fork();
        if (child == 0) {
            signal(cusim::watchdogSignal(), [](int) { _exit(1); });
            usleep(800000);
            _exit(0);
        }
        int status = -1;
        const cusim::Watched watched(cusim::hostProgress(), 0, 0.2, child);
        waitpid(child, &status, 0);
        CHECK(WIFEXITED(status));
        CHECK(WEXITSTATUS(status) == (asks ? 0 : 1));
    }
    cusim::hostProgress().asks = false;
}
