#include "matrix/diagnose.h"
#include "text/joined.h"

namespace matrix {

namespace {

// Returns the partial sums of one element: partial[p] holds its first p products, or its last p.
std::vector<Expected> partialSums(const Failure& failure, std::size_t element, bool fromTheEnd) {
    const int inner = failure.reference.inner;
    const auto cols = static_cast<std::size_t>(failure.got.cols());
    const int r = static_cast<int>(element / cols);
    const int c = static_cast<int>(element % cols);
    std::vector<Expected> partial(static_cast<std::size_t>(inner) + 1);
    Expected sum;
    for (int p = 0; p < inner; ++p) {
        const int i = fromTheEnd ? inner - 1 - p : p;
        sum.addProduct(failure.M(r, i), failure.N(i, c));
        partial[static_cast<std::size_t>(p) + 1] = sum;
    }
    return partial;
}

// Returns the numbers of products that explain every wrong element, ascending.
std::vector<int> fittingCounts(const Failure& failure, bool fromTheEnd) {
    const int inner = failure.reference.inner;
    std::vector<int> counts;
    for (int p = 1; p < inner; ++p) counts.push_back(p);
    for (const std::size_t element : failure.wrong) {
        if (counts.empty()) break;
        const std::vector<Expected> partial = partialSums(failure, element, fromTheEnd);
        std::vector<int> still;
        for (const int p : counts)
            if (failure.agrees(failure.got.data()[element], partial[static_cast<std::size_t>(p)]))
                still.push_back(p);
        counts.swap(still);
    }
    return counts;
}

// Returns the widest usual tile that divides this number of products; 1 where there is none.
int tileAt(int products) {
    for (const int tile : {32, 16, 8, 4, 2})
        if (products % tile == 0) return tile;
    return 1;
}

// Returns the count at the edge of the widest tile: several counts fit where the products between
// them are 0. Tiles begin at the first product, also for a sum of the last ones.
int likeliest(const std::vector<int>& counts, int inner, bool fromTheEnd) {
    int best = counts.front();
    for (const int p : counts) {
        const auto edge = [&](int count) { return fromTheEnd ? inner - count : count; };
        if (tileAt(edge(p)) >= tileAt(edge(best))) best = p;
    }
    return best;
}

}  // namespace

Guess guessMissingPhases(const Failure& failure) {
    if (failure.wrong.size() < evidenceNeeded(failure)) return {};
    const int inner = failure.reference.inner;
    for (const bool fromTheEnd : {false, true}) {
        const std::vector<int> counts = fittingCounts(failure, fromTheEnd);
        if (counts.empty()) continue;
        const int count = likeliest(counts, inner, fromTheEnd);
        const int edge = fromTheEnd ? inner - count : count;
        const int tile = tileAt(edge);
        std::string sentence = words::joined(
            "Each wrong element holds only the ", fromTheEnd ? "last " : "first ",
            count > 1 ? std::to_string(count) + " " : "", "of its ", inner, " products:\n");
        sentence += tile > 1 ? words::joined("phases are missing, for this is an edge of tiles ",
                                             tile, " wide.")
                             : "the loop over them leaves some out.";
        if (fromTheEnd && count == 1)
            sentence += "\nOr does each product replace the sum (=) where it is to be added (+=)?";
        else if (fromTheEnd && tile > 1)
            sentence += "\nOr does the sum begin anew in each phase?";
        return {Looks::MissingPhases, sentence};
    }
    return {};
}

}  // namespace matrix
