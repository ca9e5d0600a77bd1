#include "verdict/host/serving.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "simulator/engine/faults.h"
#include "simulator/engine/host_memory.h"
#include "simulator/engine/runtime.h"
#include "simulator/engine/waits.h"
#include "simulator/memory/device_memory.h"
#include "simulator/memory/symbols.h"
#include "verdict/guard/guard.h"
#include "verdict/host/arguments.h"
#include "verdict/host/decoys.h"
#include "verdict/host/handed_over.h"
#include "verdict/host/launches.h"
#include "verdict/host/messages.h"
#include "verdict/host/pending_uses.h"
#include "verdict/host/statics.h"
#include "verdict/record/report_format.h"

namespace host {
namespace {

int socketOfHost = -1;
// For the call under way.
HandedOver* handedOver = nullptr;
Decoys* decoys = nullptr;  // null: the host has the numbers themselves
// For all calls so far: how many bits variables of the device may have kept.
std::size_t keptBits = 0;

bool hasVariablesOfDevice() {
    const auto& all = cusim::DeviceMemory::instance().allocations();
    return std::any_of(all.begin(), all.end(), [](const auto& one) { return one->isVariable(); });
}

void noteFinding(std::string_view content) {
    testing::ByteReader reader(content);
    cusim::Finding finding = testing::readFinding(reader);
    finding.source.reset();  // is read from the file
    if (finding.kind == "endless-host") cusim::noteEndlessHost();
    cusim::Runtime::instance().report(finding);
}

void noteRemark(std::string_view content) {
    testing::ByteReader reader(content);
    guard::remarkOn(take<long>(reader));
}

// Thrown if the call of student code ends while the device waits for something else: the host has
// crashed at an address that it gave, or in a function that was called back.
struct Ended {
    std::string done;
};

// Waits for the answer to a request of the device, and serves the messages before it.
Head await(Say answer);

// A copy is sent in parts, so that no length is too large for a message.
constexpr std::size_t kPart = std::size_t{4} << 20;

// Reads memory of the host into memory of the same size.
void read(const void* from, void* into, std::size_t bytes) {
    for (std::size_t at = 0; at < bytes; at += kPart) {
        const std::size_t part = std::min(kPart, bytes - at);
        testing::ByteWriter writer;
        put(writer, static_cast<const char*>(from) + at);
        put(writer, part);
        send(socketOfHost, Say::Read, writer.bytes());
        const Head head = await(Say::Bytes);
        if (head.bytes != part) throw testing::Damaged("a copy has another size than it said");
        receiveInto(socketOfHost, head, static_cast<char*>(into) + at);
    }
}

void write(void* to, std::string_view bytes) {
    for (std::size_t at = 0; at < bytes.size(); at += kPart) {
        testing::ByteWriter writer;
        put(writer, static_cast<char*>(to) + at);
        writer(bytes.substr(at, kPart));
        send(socketOfHost, Say::Write, writer.bytes());
    }
}

// Calls use(allocation, bytes) for all memory that both sides have.
template <class Use>
void forEachShared(const Use& use) {
    for (const auto& one : cusim::DeviceMemory::instance().allocations())
        if (one->live && one->hostMayAccess())
            use(static_cast<int>(one->id),
                std::string_view{reinterpret_cast<const char*>(one->base), one->bytes / 4 * 4});
}

// Replaces memmove if one side is memory of the host in its process.
void moveBytes(void* target, const void* source, std::size_t bytes) {
    const auto isHere = [](const void* memory) {
        return cusim::DeviceMemory::instance().find(memory) != nullptr;
    };
    const bool toHere = isHere(target), fromHere = isHere(source);
    const std::string_view all{static_cast<const char*>(fromHere ? source : target), bytes};
    if (bytes == 0) return;
    if (toHere && fromHere) {
        std::memmove(target, source, bytes);
    } else if (fromHere) {
        write(target, decoys ? decoys->hidden(all) : all);
        handedOver->noteReceived(all);
    } else if (toHere) {
        read(source, target, bytes);
        if (decoys) std::memcpy(target, decoys->shown(all).data(), bytes);
        handedOver->noteCopy(source, all);
    } else {
        std::string between(bytes, '\0');
        read(source, between.data(), bytes);
        write(target, between);
    }
}

// The arguments of a host callback, which is called in the host's process.
struct Relayed {
    cudaStreamCallback_t callback;
    void* data;
};

void relay(cudaStream_t stream, cudaError_t, void* relayed) {
    const auto& [callback, data] = *static_cast<const Relayed*>(relayed);
    testing::ByteWriter writer;
    put(writer, callback);
    put(writer, stream);
    put(writer, data);
    writePendingUses(writer);
    forEachShared([](int id, std::string_view bytes) { handedOver->leaveShared(id, bytes); });
    if (decoys) decoys->hideShared();
    send(socketOfHost, Say::CallBack, writer.bytes());
    receiveContent(socketOfHost, await(Say::Called));
    if (decoys) decoys->showShared();
    forEachShared([](int id, std::string_view bytes) { handedOver->noteShared(id, bytes); });
}

// Appends the begin of every answer: the last call that had failed, and what is pending.
testing::ByteWriter begunAnswer() {
    const cusim::FailedCall& failed = cusim::Runtime::instance().lastFailed;
    testing::ByteWriter writer;
    writer(failed.function);
    put(writer, failed.error);
    writer(failed.why);
    writePendingUses(writer);
    return writer;
}

template <auto function>
struct Served;
template <class Result, class... Parameters, Result (*function)(Parameters...)>
struct Served<function> {
    static std::string call(testing::ByteReader& reader) {
        // Braces take the arguments in their order.
        std::tuple<ArgumentOf<Parameters>...> arguments{
            ArgumentOf<Parameters>(reader, kTakesNull<function>)...};
        return std::apply(
            [](auto&... argument) {
                check(Function<function>{}, argument.value()...);
                const Result result = function(argument.value()...);
                testing::ByteWriter writer = begunAnswer();
                put(writer, result);
                (argument.giveBack(writer), ...);
                return writer.bytes();
            },
            arguments);
    }

  private:
    static void check(Function<&cusim::allocate>, void**, std::size_t, cusim::MemoryKind kind,
                      cusim::Where, bool, cudaStream_t) {
        if (kind > cusim::MemoryKind::Pinned)
            throw testing::Damaged("memory of an unknown kind is asked for");
    }
    static void check(...) {}
};

template <>
struct Served<&cusim::registerVariable> {
    static std::string call(testing::ByteReader& reader) {
        registerVariable(reader);
        return begunAnswer().bytes();
    }
};

template <>
struct Served<&cusim::run> {
    static std::string call(testing::ByteReader& reader) {
        const cudaError_t error = launch(reader, *handedOver);
        testing::ByteWriter writer = begunAnswer();
        put(writer, error);
        return writer.bytes();
    }
};

template <>
struct Served<&cudaStreamAddCallback> {
    static std::string call(testing::ByteReader& reader) {
        const auto stream = take<cudaStream_t>(reader);
        Relayed relayed{take<cudaStreamCallback_t>(reader), nullptr};
        relayed.data = take<void*>(reader);
        const auto flags = take<unsigned>(reader);
        const cudaError_t error = cudaStreamAddCallback(stream, relay, &relayed, flags);
        testing::ByteWriter writer = begunAnswer();
        put(writer, error);
        return writer.bytes();
    }
};

template <auto... all>
std::string served(std::uint32_t number, testing::ByteReader& reader, Functions<all...>) {
    static constexpr std::array<std::string (*)(testing::ByteReader&), sizeof...(all)> table = {
        &Served<all>::call...};
    if (number >= table.size()) throw testing::Damaged("a function is called that does not exist");
    return table[number](reader);
}

// Copies the changes of each variable that both processes have to the other one.
template <class Exchange>
void forEachManaged(const Exchange& exchange) {
    for (const auto& one : cusim::DeviceMemory::instance().allocations())
        if (one->kind == cusim::MemoryKind::ManagedVariable)
            exchange(reinterpret_cast<char*>(one->base), one->bytes);
}

void serveCall(std::string_view content) {
    testing::ByteReader reader(content);
    std::uint32_t number = 0;
    reader(number);
    handedOver->noteCall();
    forEachManaged([](char* variable, std::size_t bytes) { read(variable, variable, bytes); });
    if (decoys) decoys->showShared();
    forEachShared([](int id, std::string_view bytes) { handedOver->noteShared(id, bytes); });
    // One object per call, because it opens the gaps between the current arrays: some tests forgive
    // a kernel reads there.
    const cusim::DeviceMemory::Access access;
    const std::string answer = served(number, reader, Forwarded{});
    forEachShared([](int id, std::string_view bytes) { handedOver->leaveShared(id, bytes); });
    if (decoys) decoys->hideShared();
    forEachManaged([](char* variable, std::size_t bytes) { write(variable, {variable, bytes}); });
    send(socketOfHost, Say::Answer, answer);
}

Head await(Say answer) {
    for (;;) {
        const Head head = receiveHead(socketOfHost);
        if (head.what == answer) return head;
        const std::string content = receiveContent(socketOfHost, head);
        if (head.what == Say::Done) throw Ended{content};
        if (head.what == Say::Call)
            serveCall(content);
        else if (head.what == Say::Finding)
            noteFinding(content);
        else if (head.what == Say::Remark)
            noteRemark(content);
        else if (head.what == Say::Waited)
            cusim::Waits::instance().hostWaitsForAll();
        else if (head.what == Say::Heard)
            cusim::Waits::instance().hostLocks();
        else
            throw testing::Damaged("a message comes that nothing has asked for");
    }
}

}  // namespace

CallResult serveUntilDone(int socket, const lab::Outputs& outputs, bool withDecoys) {
    socketOfHost = socket;
    HandedOver ofThisCall(outputs, keptBits);
    handedOver = &ofThisCall;
    std::optional<Decoys> ofThisHost;
    decoys = withDecoys ? &ofThisHost.emplace(outputs) : nullptr;
    cusim::moveBytes = moveBytes;
    cusim::ClosedPages::instance().leaveOpen(true);
    std::string done;
    try {
        done = receiveContent(socket, await(Say::Done));
    } catch (const Ended& ended) {
        done = ended.done;
    }
    if (decoys) decoys->showShared();
    testing::ByteReader reader(done);
    CallResult result{testing::readOutcome(reader)};
    for (const lab::Outputs::Piece& piece : outputs.given()) {
        const std::string_view sent = reader.view();
        const std::string shown = decoys ? decoys->shown(sent) : std::string();
        const std::string_view bytes = decoys ? shown : sent;
        ofThisCall.noteGiven(piece.bytes(piece.object), bytes);
        if (!piece.put(piece.object, bytes))
            throw testing::Damaged("what a call gave has another size than the test expects");
    }
    readStatics(reader);
    keptBits = hasVariablesOfDevice() ? ofThisCall.bitsToKeep() : 0;
    // With decoys the host can compute no result to hand over.
    result.handedOver = decoys ? ofThisCall.mayHaveTimed() : ofThisCall.mayBeResult();
    return result;
}

}  // namespace host
