"""The metrics of `make profile`, under the names of Nsight Compute: its meaning, the simulated
device's count, and the rules that explain why a card counts something else.

A launch is a line of common/simulator/api/counted_launch.h.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

Launch = dict[str, Any]
Card = dict[str, float]

USED = "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct"
FIT = "sm__maximum_warps_per_active_cycle_pct"
TIME = "gpu__time_duration.sum"
EXACT, NEAR, SHOWN = 0.0, 0.02, None  # the share by which a card may differ; SHOWN: not compared
NOT_CHECKED = "a modelled time was checked for labs 1 to 3 only"


class Metric(NamedTuple):
    name: str
    words: str
    kind: str  # the launch's name of these accesses, "" for others
    field: str
    within: float | None

    def here(self, launch: Launch) -> float | None:
        """Returns the simulated device's count; None if it does not count this."""
        if self.kind and self.name != USED:
            return launch[self.kind][self.field]
        if self.name == USED:
            loads = launch["globalLoads"]
            # If several threads of a request load the same byte, a card counts it once. It leaves
            # out asynchronous copies.
            units = loads["plainUnits"]
            return 100 * loads["distinctBytes"] / (32 * units) if units else None
        if self.name == FIT:
            return 100 * launch["warpsThatFit"] / launch["mostWarps"]
        if self.name == TIME:
            return launch["nanoseconds"] / 1000 if launch["nanoseconds"] else None
        return launch.get(self.field)

    def used(self, launch: Launch, card: Card) -> bool:
        """Tells whether the kernel has such accesses."""
        count = launch[self.kind]["requests"] if self.kind else 1
        return count > 0 or card.get(self.name, 0) > 0

    def differs(self, here: float | None, there: float | None) -> bool:
        if here is None or there is None or self.within is None:
            return False
        return abs(here - there) > max(self.within * max(here, there), self.within and 0.5)


ALL = (
    Metric("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
           "global loads: requests (instructions of warps)", "globalLoads", "requests", EXACT),
    Metric("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
           "global loads: sectors of 32 bytes", "globalLoads", "units", EXACT),
    Metric(USED, "global loads: different bytes, % of the sectors", "globalLoads", "", NEAR),
    Metric("l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
           "global stores: requests (instructions of warps)", "globalStores", "requests", EXACT),
    Metric("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
           "global stores: sectors of 32 bytes", "globalStores", "units", EXACT),
    Metric("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
           "shared loads: passes over the banks (wavefronts)", "sharedLoads", "units", NEAR),
    Metric("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
           "of these, passes because of bank conflicts", "sharedLoads", "conflicts", NEAR),
    Metric("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
           "shared stores: passes over the banks (wavefronts)", "sharedStores", "units", NEAR),
    Metric("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
           "of these, passes because of bank conflicts", "sharedStores", "conflicts", NEAR),
    Metric("smsp__warps_launched.sum", "warps that ran", "", "warps", EXACT),
    Metric("", "of these, warps with threads in different branches", "", "divergentWarps", SHOWN),
    Metric("smsp__thread_inst_executed_per_inst_executed.ratio",
           "threads that take part in an instruction, of 32", "", "", SHOWN),
    Metric(FIT, "warps that fit an SM, % of the most (occupancy)", "", "", NEAR),
    Metric("sm__warps_active.avg.pct_of_peak_sustained_active",
           "warps that an SM had (achieved occupancy), %", "", "", SHOWN),
    Metric("l1tex__t_sector_hit_rate.pct", "sectors found in the L1 cache, %", "", "", SHOWN),
    Metric("lts__t_sector_hit_rate.pct", "sectors found in the L2 cache, %", "", "", SHOWN),
    Metric(TIME, "time of the kernel, microseconds", "", "", SHOWN),
)  # fmt: skip


NAMES = [metric.name for metric in ALL if metric.name]


class Difference(NamedTuple):
    metric: Metric
    here: float
    there: float
    launch: Launch
    card: Card

    @property
    def counts(self) -> dict[str, int]:
        return self.launch.get(self.metric.kind) or {}

    def repeated(self) -> int:
        """Returns how many loads a compiler can leave out because it still has the values."""
        return self.counts["repeated" if self.metric.field == "requests" else "repeatedUnits"]


def fragments(one: Difference) -> bool:
    if not one.launch["tensorOperations"] or not one.counts or not one.metric.field:
        return False
    return one.here / 4 <= one.there <= 4 * one.counts["units"]


def kept(one: Difference) -> bool:
    counted = bool(one.counts) and one.metric.field != ""
    return counted and one.here - one.repeated() <= one.there < one.here


def wide(one: Difference) -> bool:
    if not one.metric.kind.startswith("shared"):
        return False
    return one.here - one.repeated() - one.counts["neighbouringUnits"] <= one.there < one.here


def diverged(one: Difference) -> bool:
    return one.launch["divergentWarps"] > 0 and one.metric.field in ("requests", "units")


def apart(one: Difference) -> bool:
    return diverged(one) and one.here < one.there <= 2 * one.here


def rounds(one: Difference) -> bool:
    """Tells whether as many requests have fewer sectors, or passes."""
    alike = [
        metric for metric in ALL if (metric.kind, metric.field) == (one.metric.kind, "requests")
    ]
    agree = any(metric.here(one.launch) == one.card.get(metric.name) for metric in alike)
    few = one.metric.field == "units" and one.here / 2 <= one.there < one.here
    return diverged(one) and agree and few


def joined(one: Difference) -> bool:
    stores = one.metric.kind.endswith("Stores")
    return stores and diverged(one) and one.here / 2 <= one.there < one.here


def unused(one: Difference) -> bool:
    stored = [one.card.get(metric.name) for metric in ALL if metric.kind == "globalStores"]
    if one.there == 0 and stored and not any(stored):
        return True
    loads = one.metric.kind.endswith("Loads") and one.metric.field in ("requests", "units")
    few = one.here - one.launch["warps"] <= one.there < one.here
    return loads and (few or one.there == 0)


def waits(one: Difference) -> bool:
    shared = one.metric.kind.startswith("shared")
    return shared and 0 < one.there - one.here <= 0.3 * one.counts["units"]


def follows(one: Difference) -> bool:
    loads = [metric for metric in ALL if metric.kind == "globalLoads" and metric.name != USED]
    pairs = [(metric, metric.here(one.launch), one.card.get(metric.name)) for metric in loads]
    return one.metric.name == USED and any(metric.differs(a, b) for metric, a, b in pairs)


def registers(one: Difference) -> bool:
    return one.metric.name == FIT and one.there < one.here


def limits(one: Difference) -> bool:
    return one.metric.name == FIT and one.there > one.here


class Rule(NamedTuple):
    """A reason for a difference; `holds` tells whether the counts allow it."""

    name: str
    sentence: str
    holds: Callable[[Difference], bool]


# The first that holds counts.
RULES = (
    Rule("fragments", "A card lets each lane load or store 4 to 16 neighbouring bytes of a "
         "fragment. The simulated device does this with each element by itself.", fragments),
    Rule("kept in a register", "The compiler keeps a value that the thread has loaded or stored "
         "before, so it does not access memory again.", kept),
    Rule("one wide access", "The compiler merges accesses of neighbouring words of shared memory "
         "into one access of 8 or 16 bytes per thread.", wide),
    Rule("branches run apart", "Threads of a warp took different branches. The card runs these one "
         "after the other, even if the simulated device lines the threads up.", apart),
    Rule("rounds lined up", "Threads of a warp skip this access in different rounds of a loop. The "
         "card puts accesses of a round together, the simulated device the n-th of each thread.",
         rounds),
    Rule("branches joined", "Threads of a warp took different branches, and each branch has such a "
         "store. The compiler makes one store of them.", joined),
    Rule("value not used", "The compiler moves a load to the place that uses its value, and leaves out "
         "what nothing uses.", unused),
    Rule("L1 was busy", "The card also counts a pass that waits because the L1 cache moves other "
         "data.", waits),
    Rule("other loads", "The card made other loads: see above.", follows),
    Rule("registers", "A thread's registers leave room for fewer warps. The simulated device does "
         "not count registers.", registers),
    Rule("other limits", "The card has other limits than the simulated device. PROFILE= chooses "
         "another device.", limits),
)  # fmt: skip
NO_RULE = Rule("no rule", "No rule explains this difference. Please report it.", lambda _: True)


def explained(launch: Launch, card: Card) -> dict[str, Rule]:
    """Returns the metrics in which a card differs, and for each the rule that explains it."""
    found = {}
    for metric in ALL:
        here, there = metric.here(launch), card.get(metric.name)
        if here is None or there is None or not metric.differs(here, there):
            continue
        difference = Difference(metric, here, there, launch, card)
        found[metric.name] = next((r for r in RULES if r.holds(difference)), NO_RULE)
    return found
