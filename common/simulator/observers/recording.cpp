#include "simulator/observers/recording.h"

#include <algorithm>
#include <cstring>

#include "simulator/memory/symbols.h"
#include "simulator/simulator.h"

extern "C" {
CusimCaller cusimCaller;
}

namespace cusim {
namespace {

constexpr std::size_t kMostValue = 16;
constexpr std::size_t kStepWords = sizeof(RecordedStep) / 4;
// Larger frames, such as those with large local arrays, are left out.
constexpr std::size_t kMostFrames = std::size_t{64} * 1024;
constexpr std::size_t kCompared = 32;  // words at a time

}  // namespace

// A run in which barriers order nothing (Options::barriersOrder) is not recorded.
bool recording() { return !options().recording.empty() && options().barriersOrder; }

void Recording::begin(bool wanted) {
    on_ = wanted;
    cut_ = false;
    steps_ = stepsOfBlock_ = beginOfBlock_ = 0;
    bytes_.clear();
}

// If there is no room left for a whole block, a block replaces the one before it: the last block is
// the one that ends a launch.
void Recording::beginBlock(std::uint32_t threads) {
    if (steps_ + kMostOfBlock > kMost) {
        steps_ -= stepsOfBlock_;
        bytes_.resize(beginOfBlock_);
        cut_ = true;
    }
    beginOfBlock_ = bytes_.size();
    epoch_ = 0;
    stepsOfBlock_ = 0;
    stored_ = SIZE_MAX;
    failingPlace_ = nullptr;
    frames_.assign(threads, {});
}

void Recording::access(const SeenAccess& one) {
    leave();
    RecordedStep step;
    step.what = static_cast<std::uint8_t>(kindOf(one.instruction));
    step.offset = static_cast<std::int64_t>(one.offset);
    step.bytes = static_cast<std::uint32_t>(one.bytes);
    step.array = one.array;
    step.flags = RecordedStep::Placed;
    if (one.shared) step.flags |= RecordedStep::Shared;
    if (step.what == RecordedStep::Load && one.bytes <= kMostValue) {
        std::memcpy(step.value, one.data(), one.bytes);
        step.flags |= RecordedStep::Known;
    }
    const std::size_t begin = bytes_.size();
    add(step, one.actor, placeOfInstruction(one.instruction), one.framesEnd);
    if (step.what == RecordedStep::Load || one.bytes > kMostValue || bytes_.size() == begin) return;
    stored_ = begin;
    storedAt_ = one.address();
}

void Recording::step(const Actor& actor, ThreadStep what, const Where&, std::uintptr_t framesEnd) {
    leave();
    RecordedStep step;
    const void* place = cusimCaller.place;
    if (what == ThreadStep::Failed && failingPlace_) step = failing_, place = failingPlace_;
    if (what == ThreadStep::Returned) place = nullptr;
    step.what = static_cast<std::uint8_t>(RecordedStep::Barrier + static_cast<int>(what));
    add(step, actor, place, framesEnd);
}

void Recording::failing(const FailingAccess& one) {
    failingPlace_ = one.place;
    failing_.offset = one.offset;
    failing_.bytes = static_cast<std::uint32_t>(one.bytes);
    failing_.array = one.array;
    failing_.flags = static_cast<std::uint8_t>((one.shared ? RecordedStep::Shared : 0) |
                                               (one.placed ? RecordedStep::Placed : 0));
}

void Recording::leave() {
    if (stored_ == SIZE_MAX) return;
    RecordedStep step;
    std::memcpy(static_cast<void*>(&step), &bytes_[stored_], sizeof step);
    std::memcpy(step.value, reinterpret_cast<const void*>(storedAt_), step.bytes);
    step.flags |= RecordedStep::Known;
    std::memcpy(&bytes_[stored_], &step, sizeof step);
    stored_ = SIZE_MAX;
}

void Recording::add(RecordedStep step, const Actor& actor, const void* place,
                    std::uintptr_t framesEnd) {
    if (stepsOfBlock_ == kMostOfBlock) {
        cut_ = true;
        return;
    }
    ++steps_, ++stepsOfBlock_;
    if (place) step.place = reinterpret_cast<std::uintptr_t>(place) - programBase();
    step.block = actor.block;
    step.thread = actor.thread;
    step.epoch = epoch_;
    changed_.clear();
    if (place) addFrames(step, place, framesEnd);
    step.words = static_cast<std::uint32_t>(changed_.size() / 2);
    const std::size_t begin = bytes_.size();
    bytes_.resize(begin + kStepWords);
    std::memcpy(&bytes_[begin], &step, sizeof step);
    bytes_.insert(bytes_.end(), changed_.begin(), changed_.end());
}

// Adds the words of the frames that differ from those of the thread's last step. A function of the
// runtime that knows its caller has a frame below that of the kernel's function.
void Recording::addFrames(RecordedStep& step, const void* place, std::uintptr_t end) {
    std::uintptr_t frame = cusimCaller.frame;
    const std::uintptr_t low = cusimCaller.stack;
    const auto isFrame = [&] { return frame >= low && frame < end; };
    if (low >= end || end - low > kMostFrames || !isFrame()) return;
    if (cusimCaller.place != place) {
        const auto* const saved = reinterpret_cast<const std::uintptr_t*>(frame);
        if (saved[1] != reinterpret_cast<std::uintptr_t>(place)) return;
        frame = saved[0];
        if (!isFrame()) return;
    }
    step.frame = frame;
    step.end = end;
    const std::size_t words = (end - low) / 4;
    std::vector<std::uint32_t>& known = frames_[step.thread];
    if (known.size() < words) known.insert(known.begin(), words - known.size(), 0);
    std::uint32_t* const before = known.data() + known.size();
    const auto* const now = reinterpret_cast<const unsigned char*>(end);
    for (std::size_t begin = 0; begin < words; begin += kCompared) {
        const std::size_t behind = std::min(begin + kCompared, words);
        const std::size_t bytes = 4 * (behind - begin);
        if (std::memcmp(before - behind, now - 4 * behind, bytes) == 0) continue;
        for (std::size_t i = begin; i < behind; ++i) {
            std::uint32_t& old = *(before - i - 1);
            std::uint32_t word;
            std::memcpy(&word, now - 4 * (i + 1), sizeof word);
            if (word == old) continue;
            old = word;
            changed_.push_back(static_cast<std::uint32_t>(i));
            changed_.push_back(word);
        }
    }
}

}  // namespace cusim
