// Tests which stream takes which step, and which steps may then overlap.
#include <set>

#include "lab4_memtypes/overlap/causes_sim.h"

using Step = cusim::StreamStep;

namespace {

constexpr Bands kBands{64, 8, 16, 4, 2}, kFourStreams{64, 8, 16, 8, 4};
const char* const kChar =
    "\nSmaller bands are right: is a number of rows a char, which ends at 127?";

const char* const kRace = "stream-race";

struct Found {
    std::vector<Step> steps;
    BandedRun run;
    Bands bands;

    std::vector<std::size_t> all(Step::What what, const float* from, std::size_t elements) const {
        std::vector<std::size_t> indices;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const auto* host = static_cast<const float*>(steps[i].host);
            if (steps[i].what == what && (!from || (host >= from && host < from + elements)))
                indices.push_back(i);
        }
        return indices;
    }
    // Tests whether the host has waited for a step at the end.
    bool isWaitedFor(std::size_t step) const {
        return std::any_of(steps.begin() + static_cast<std::ptrdiff_t>(step), steps.end(),
                           [&](const Step& later) {
                               return later.what == Step::HostWaits && later.isAfter(steps[step]);
                           });
    }
    std::vector<std::size_t> ofM() const { return all(Step::CopyIn, run.M, run.set.M.size()); }
    std::vector<std::size_t> launches() const { return all(Step::Launch, nullptr, 0); }
    std::vector<std::size_t> ofP() const { return all(Step::CopyOut, run.pinnedP, run.P.size()); }
};

Found look(const lab::Text& about, Bands bands = kBands) {
    expectRoom();
    const lab::CountElements counting;
    try {
        Found found{
            {},
            runBanded(about, bands, {"unset-output", "unset-read", "leak", "missing-wait", kRace}),
            bands};
        found.steps = cusim::streamSteps();
        return found;
    } catch (...) {
        blameMissingStreams();
        throw;
    }
}

// Recognizes a loop that ends early, or late: the numbers of copies of M, launches and copies of P
// are equal. If a band has another number of rows, reports that.
std::string unlessAll(const Found& found, std::size_t turns) {
    const bool same = turns > 0 && found.ofM().size() == turns &&
                      found.launches().size() == turns && found.ofP().size() == turns;
    if (!same) return "";
    const std::size_t rows = found.steps[found.ofM().front()].bytes / sizeof(float) /
                             static_cast<std::size_t>(found.bands.k);
    const int wanted = (found.bands.j - 1) / found.bands.bands + 1;
    if (rows != static_cast<std::size_t>(wanted))
        return lab::filled("\nThe first copy of M has {}, and j is {}: see rowsOfBand.",
                           lab::count(rows, "row"), found.bands.j);
    return lab::filled(
        "\nThe loop over the bands runs {}: j is {}, k is {}, l is {}. See its condition.",
        lab::count(turns, "time"), found.bands.j, found.bands.k, found.bands.l);
}

// Fails the test if a copy of a band begins past the end of the host's matrix.
void expectInside(const Todo& todo, const std::string& name, const float* matrix,
                  std::size_t elements, const std::string& place, int cols, const Found& found,
                  Step::What what) {
    for (const std::size_t i : found.all(what, matrix + elements, elements)) {
        const auto at = static_cast<const float*>(found.steps[i].host) - matrix;
        if (found.steps[i].stream == 0 || at % cols != 0) continue;
        lab::beginWith(todo);
        lab::fail("wrong-rows", todo,
                  "a band's copy begins at {}, after the end of {}, which has {}.\nA band must "
                  "begin at {}.",
                  lab::elementAt(static_cast<std::size_t>(at), name, cols), name,
                  lab::count(elements / static_cast<std::size_t>(cols), "row"), place);
    }
}

// Fails the test if the copies of the bands read other pinned memory than M.
void expectFromM(const Found& found) {
    const auto copies = std::count_if(found.steps.begin(), found.steps.end(), [](const Step& one) {
        return one.what == Step::CopyIn && one.stream > 0 && one.pinned;
    });
    if (!found.ofM().empty() || copies != found.bands.bands) return;
    const auto early = lab::findingsOf("missing-wait");
    lab::fail("not-bandwise", Todo(3),
              "the copies of the {} bands read other memory than M. M is pinned: "
              "copy from\nM + firstRow * k.{}",
              copies,
              early.empty() ? ""
                            : lab::filled("\nLine {} changes that memory while a copy "
                                          "may still read it.",
                                          early.front().line));
}

// Fails the test unless each band has one, and neighbouring bands have different streams other than
// the default one.
void expectBandwise(const Todo& todo, const std::string& what, const std::string& whats,
                    const Found& found, const std::vector<std::size_t>& indices) {
    const auto [j, k, l, bands, streams] = found.bands;
    if (indices.size() != static_cast<std::size_t>(bands))
        lab::fail("not-bandwise", todo, "{} for {} bands of {} rows. Each band needs one.{}",
                  lab::grouped(indices.size()) + " " + (indices.size() == 1 ? what : whats), bands,
                  (j - 1) / bands + 1, unlessAll(found, indices.size()));
    for (std::size_t b = 0; b < indices.size(); ++b) {
        const int stream = found.steps[indices[b]].stream;
        if (stream == 0)
            lab::fail("default-stream", todo,
                      "the {} of a band is in the default stream, for which all others wait.\nUse "
                      "streams[s], which {} creates.",
                      what, Todo(2));
        if (b > 0 && stream == found.steps[indices[b - 1]].stream)
            lab::fail("one-stream", todo,
                      "the {} of two successive bands are in the same stream, where the\nsecond "
                      "waits for the first. Use the streams in turn.",
                      whats);
    }
    std::set<int> used;
    for (const std::size_t i : indices) used.insert(found.steps[i].stream);
    if (static_cast<int>(used.size()) < std::min(bands, streams))
        lab::fail("one-stream", todo,
                  "the {} of {} bands use only {} of {} streams. Band b belongs to\nstream b % "
                  "numStreams.",
                  whats, bands, used.size(), streams);
}

// Fails the test if a band of P is copied in another stream than the kernel that computes it.
void expectAfterItsKernel(const Found& found) {
    const std::vector<std::size_t> copies = found.ofP();
    for (const std::size_t copy : copies) {
        const Step* writer = nullptr;
        for (std::size_t i = 0; i < copy; ++i) {
            if (found.steps[i].what != Step::Launch) continue;
            for (const auto& array : cusim::launches().at(found.steps[i].launch).arrays)
                if (array.allocation == found.steps[copy].allocation && array.count.stores > 0)
                    writer = &found.steps[i];
        }
        if (!writer || found.steps[copy].isAfter(*writer)) continue;
        lab::fail("stream-race", Todo(5),
                  "{} is copied in stream {}, but its kernel runs in\nstream {}, and the copy "
                  "does not wait for it. Copy each band in the stream of its\nkernel, after the "
                  "launch.",
                  lab::elementAt(
                      static_cast<std::size_t>(static_cast<const float*>(found.steps[copy].host) -
                                               found.run.pinnedP),
                      "P", found.bands.l),
                  found.steps[copy].stream, writer->stream);
    }
}

// Fails the test if the product is wrong and the copies do not take each row of the host's
// matrix once.
void expectEachRow(const lab::Text& about, const std::string& name, const float* matrix,
                   const std::string& place, int cols, const Found& found,
                   const std::vector<std::size_t>& indices) {
    if (lab::isRight(found.run)) return;
    std::vector<std::pair<std::size_t, std::size_t>> parts;  // begin and end, in floats
    for (const std::size_t i : indices) {
        const auto begin =
            static_cast<std::size_t>(static_cast<const float*>(found.steps[i].host) - matrix);
        parts.emplace_back(begin, begin + found.steps[i].bytes / sizeof(float));
    }
    std::sort(parts.begin(), parts.end());
    const auto element = [&](std::size_t at) {
        const auto width = static_cast<std::size_t>(cols);
        return lab::element(name, at / width, at % width);
    };
    // All begin at the right places, so only the sizes are wrong.
    const std::size_t band = static_cast<std::size_t>((found.bands.j - 1) / found.bands.bands + 1);
    const std::size_t size = band * static_cast<std::size_t>(cols);
    for (std::size_t b = 0, right = 0; b < parts.size() && parts[b].first == b * size; ++b)
        if (++right == parts.size() && right > 1 && parts[0].second != size)
            lab::fail("wrong-rows", about,
                      "each band's copy begins at the right row of {}, but the first one has {} "
                      "bytes instead\nof {}: its size must be rows * {} * sizeof(float).",
                      name, parts[0].second * sizeof(float), size * sizeof(float),
                      place.substr(place.size() - 1));
    for (std::size_t b = 0, end = 0; b < parts.size(); end = parts[b++].second)
        if (parts[b].first != end)
            lab::fail("wrong-rows", about,
                      "a band's copy begins at {}, but the copy before it ends at\n{}. So rows are "
                      "missing, or copied twice. A band must begin at\n{}.{}",
                      element(parts[b].first), element(end), place,
                      found.bands.j < 256 ? "" : kChar);
}

// Fails the test unless two rows per band make four bands of eight rows, and 300 make two of 600.
void expectAllBands() {
    for (const Bands b : {Bands{8, 3, 4, 4, 2}, {600, 3, 4, 2, 2}}) {
        const Found found = look("overlappedMatrixMul", b);
        const std::size_t copies = found.ofM().size();
        if (copies == static_cast<std::size_t>(b.bands)) {
            expectEachRow("overlappedMatrixMul", "M", found.run.M, "M + firstRow * k", b.k, found,
                          found.ofM());
            continue;
        }
        lab::fail("not-bandwise",
                  "overlappedMatrixMul: {} rows of M are copied in {} bands instead of {}:\na band "
                  "must have (j - 1) / bands + 1 rows, here {}.{}",
                  b.j, copies, b.bands, (b.j - 1) / b.bands + 1, b.j < 256 ? "" : kChar);
    }
}

// Fails the test if a launch has idle blocks, or more loads and stores than take the rows of its
// band, which are those that were copied.
void expectGrids(const Found& found, Bands b) {
    const std::vector<std::size_t> launches = found.launches(), copies = found.ofM();
    for (std::size_t band = 0; band < launches.size(); ++band) {
        const auto& launch = cusim::launches().at(found.steps[launches[band]].launch);
        int rows = (b.j - 1) / b.bands + 1;
        if (copies.size() == launches.size())
            rows = static_cast<int>(found.steps[copies[band]].bytes / sizeof(float)) / b.k;
        INFO("Band " << band + 1 << " of " << b.bands << " has " << lab::count(rows, "row") << ".");
        lab::expectNoIdleBlocks(Todo(4), launch, b.l, rows, launch.block);
        const std::uint64_t stores = launch.global().storedBytes / sizeof(float);
        const std::uint64_t loads = lab::floatsRead(launch.global());
        const std::uint64_t products = lab::product(rows, b.k, b.l);
        if (stores <= lab::product(rows, b.l) && loads <= 2 * products) continue;
        if (rows < (b.j - 1) / b.bands + 1)
            lab::fail("store-count", Todo(4),
                      "{} and {} for the last band, which has {}.\nPass to the kernel only the "
                      "rows of its band: the last band can be shorter.",
                      lab::count(loads, "load"), lab::count(stores, "store"),
                      lab::count(rows, "row"));
        lab::failOfNoStep("store-count",
                          "overlappedMatrixMul: {} and {} for a band of P of {}.\nbandKernel must "
                          "load one element of M and one of N for each of {},\nand store each sum "
                          "once, after the loop over them.",
                          lab::count(loads, "load"), lab::count(stores, "store"),
                          lab::count(lab::product(rows, b.l), "element"),
                          lab::count(products, "product"));
    }
}

// Fails the test if a call of one of these functions fails and the program does not notice.
void expectChecked(const lab::Text& about, const std::vector<std::string>& functions) {
    const Bands b{5, 3, 4, 2, 2};
    BandedRun run{{lab::integers({b.j, b.k, b.l}), matrix::poisoned(b.j, b.l)}};
    lab::expectCallsChecked(
        about, lab::gives(run.P), [&] { callBanded(run, b); }, functions);
}

}  // namespace

TEST_CASE("TODO(1): M and P are copied between the device and pinned memory") {
    const Found found = look(Todo(1));
    if (lab::timesCalled("cudaMallocHost") + lab::timesCalled("cudaHostRegister") < 2)
        lab::fail("not-pinned", Todo(1),
                  "this memory is not pinned, so the host waits for each copy from it, in "
                  "any\nstream. Allocate it with cudaMallocHost.");
    const auto ofN = found.all(Step::CopyIn, found.run.set.N.data(), found.run.set.N.size());
    const bool readsN = std::any_of(ofN.begin(), ofN.end(), [&](std::size_t i) {
        return found.steps[i].stream > 0 && !found.steps[i].pinned;
    });
    if (readsN && found.ofM().empty()) {
        lab::beginWith(Todo(3));
        lab::fail("not-pinned", Todo(3),
                  "a copy in a stream reads N, which is not pinned, and no copy reads M. The\ncopy "
                  "of a band must begin at M + firstRow * k.");
    }
    expectInside(Todo(3), "M", found.run.M, found.run.set.M.size(), "M + firstRow * k", kBands.k,
                 found, Step::CopyIn);
    expectInside(Todo(5), "P", found.run.pinnedP, found.run.P.size(), "P + firstRow * l", kBands.l,
                 found, Step::CopyOut);
    for (std::size_t i = 0; i < found.steps.size(); ++i) {
        const Step& step = found.steps[i];
        const bool isOfN = std::count(ofN.begin(), ofN.end(), i) > 0;  // N need not be pinned
        if (step.stream > 0 && step.host && !step.pinned && !isOfN)
            lab::fail("not-pinned", Todo(1),
                      "a copy in a stream uses host memory that is not pinned: only M and P\nare "
                      "pinned.");
    }
    expectChecked(Todo(1), {"cudaMallocHost", "cudaFreeHost", "cudaFree", "cudaHostRegister",
                            "cudaHostUnregister"});
}

TEST_CASE("TODO(2): as many streams are created as the caller asks for") {
    for (const Bands& b : {kBands, kFourStreams}) {
        look(Todo(2), b);
        const auto made = lab::timesCalled("cudaStreamCreate");
        if (made < b.streams)
            lab::fail("no-streams", Todo(2), "{} created instead of {}. Use cudaStreamCreate.",
                      lab::count(made, "stream"), b.streams);
    }
    expectChecked(Todo(2), {"cudaStreamCreate"});
}

TEST_CASE("TODO(3): the bands of M are copied in the streams in turn") {
    const Found found = look(Todo(3));
    expectFromM(found);
    expectBandwise(Todo(3), "copy", "copies", found, found.ofM());
    expectEachRow(Todo(3), "M", found.run.M, "M + firstRow * k", kBands.k, found, found.ofM());
    expectAllBands();
    expectChecked(Todo(3), {"cudaMemcpyAsync"});
}

TEST_CASE("TODO(4): the bands are computed in the streams in turn") {
    // In the second, neither rows nor columns are whole blocks, and the last band is shorter.
    for (const Bands b : {kBands, {65, 8, 20, 4, 2}, kFourStreams}) {
        const Found found = look(Todo(4), b);
        expectBandwise(Todo(4), "launch", "launches", found, found.launches());
        expectGrids(found, b);
    }
    expectChecked(Todo(4), {"launch"});
}

TEST_CASE("TODO(5): the bands of P are copied back in the streams in turn") {
    const Found found = look(Todo(5));
    expectAfterItsKernel(found);
    expectBandwise(Todo(5), "copy", "copies", found, found.ofP());
    expectEachRow(Todo(5), "P", found.run.pinnedP, "P + firstRow * l", kBands.l, found,
                  found.ofP());
}

TEST_CASE("TODO(6): the function returns only after every copy has finished") {
    // On a card many queries find a stream that is not ready.
    const lab::ChosenOptions chosen;
    cusim::options().unreadyAnswers = 5000;
    const Found found = look(Todo(6));
    if (found.ofP().empty())
        lab::fail("not-bandwise", Todo(6),
                  "nothing is copied back yet, so there is nothing to wait for.");
    for (const std::size_t i : found.ofP())
        if (!found.isWaitedFor(i))
            lab::fail("not-waited", Todo(6),
                      "the function can return before P is complete. Wait for each stream, or "
                      "for\nall of them with cudaDeviceSynchronize.");
    expectChecked(Todo(6), {"cudaDeviceSynchronize", "cudaStreamSynchronize", "cudaEventCreate",
                            "cudaEventRecord", "cudaEventSynchronize"});
}

TEST_CASE("TODO(7): every stream that is created is destroyed") {
    look(Todo(7));
    const auto made = lab::timesCalled("cudaStreamCreate");
    const auto gone = lab::timesCalled("cudaStreamDestroy");
    if (made == 0) lab::fail("no-streams", Todo(7), "there are no streams to destroy yet.");
    if (made != gone)
        lab::fail("streams-left", Todo(7), "{} streams are created, but {} are destroyed.", made,
                  gone);
    expectChecked(Todo(7), {"cudaStreamDestroy", "cudaFree"});
}

TEST_CASE("no two streams use the same memory at the same time") {
    if (look("overlappedMatrixMul").launches().empty())
        lab::fail("not-launched", "overlappedMatrixMul: no kernel is launched yet.");
    for (const Bands b : {kBands, {64, 8, 16, 8, 3}, kFourStreams})
        runBanded("overlappedMatrixMul", b, {"unset-output", "unset-read", "leak", "missing-wait"});
}

TEST_CASE("a band can be copied while the band before it is computed") {
    const Found found = look("overlappedMatrixMul");
    if (found.launches().empty() || found.ofM().empty())
        lab::fail("not-launched", "overlappedMatrixMul: nothing is copied and computed yet.");
    expectChecked("overlappedMatrixMul", {"cudaMalloc", "cudaMemcpy", "cudaFree"});
    const std::vector<std::size_t> copies = found.ofM(), launches = found.launches();
    const auto isAfter = [&](std::size_t copy, std::size_t launch) {
        return found.steps[copy].isAfter(found.steps[launch]);
    };
    const bool overlaps = std::any_of(launches.begin(), launches.end(), [&](std::size_t launch) {
        return std::any_of(copies.begin(), copies.end(), [&](std::size_t copy) {
            return copy > launch && !isAfter(copy, launch);
        });
    });
    const std::string remedy =
        "\nWait only once, after the loop over the bands. Inside the loop the host must "
        "not\nwait, and cudaFree() also waits.";
    if (!overlaps)
        lab::fail("no-overlap", "overlappedMatrixMul: {}",
                  copies.back() < launches.front()
                      ? "all copies of M are before the first kernel. Copy a band,\nlaunch its "
                        "kernel and copy its result back before the next band."
                      : "each copy waits for all kernels before it, so nothing overlaps." + remedy);
    // Other tests judge which stream takes which band.
    const bool inTurn =
        std::equal(copies.begin(), copies.end(), launches.begin(), launches.end(),
                   [&](std::size_t copy, std::size_t launch) {
                       return found.steps[copy].stream == found.steps[launch].stream;
                   });
    for (std::size_t band = 1; inTurn && band < copies.size(); ++band)
        if (isAfter(copies[band], launches[band - 1]))
            lab::fail("no-overlap",
                      "overlappedMatrixMul: the copy of M for band {} waits for the kernel of band "
                      "{}.{}",
                      band, band - 1, remedy);
}
