"""Finds M, N and P among the arrays of a trace, and their elements by row and column; sums up a
figure's data."""

import hashlib
import json
import trace

# Names that host code gives the arrays: d_M, dM, M_d, M, ...
NAMES = {"M": ("m", "dm", "md"), "N": ("n", "dn", "nd"), "P": ("p", "dp", "pd")}


class NothingToDraw(Exception):
    """The run lacks what the figure shows; the message is a sentence."""


def roles(events):
    """Returns {array: "M", "N" or "P"}, by the names or else by the order of the loads."""
    loaded, stored = [], []
    for event in events:
        if event["space"] != "global":
            continue
        known = loaded if event["what"] == "load" else stored
        if event["array"] not in known:
            known.append(event["array"])
    result = {}
    for array in loaded + stored:
        for role, names in NAMES.items():
            if array.replace("_", "").lower() in names:
                result[array] = role
    rest = [array for array in loaded if array not in result and array not in stored]
    for role in ("M", "N"):
        if role not in result.values() and rest:
            result[rest.pop(0)] = role
    rest = [array for array in stored if array not in result]
    if "P" not in result.values() and rest:
        result[rest[0]] = "P"
    return result


def threads_of(events, block):
    """Returns trace.of_block; raises NothingToDraw if no thread of the block does anything."""
    threads = trace.of_block(events, block)
    if not threads:
        raise NothingToDraw("no thread of block ({},{}) runs to a load".format(*block))
    return threads


class Product:
    """M (j x k), N (k x l) and P (j x l) of a trace, with the names of their elements."""

    def __init__(self, events, shape):
        _, k, l = shape
        self.columns = {"M": k, "N": l, "P": l}
        self.roles = roles(events)
        if not {"M", "N"} <= set(self.roles.values()):
            raise NothingToDraw("the kernel does not load from both M and N yet")

    def element(self, array, index):
        """Returns ("M", row, column); None for any other array."""
        role = self.roles.get(array)
        return role and (role, *divmod(index, self.columns[role]))

    def of_event(self, event):
        if event["space"] != "global":
            return None
        return self.element(event["array"], event["index"])


def name(element):
    """Returns M[1][2]; 0 if no element was loaded."""
    return "0" if element is None else "{}[{}][{}]".format(*element)


def checksum(data):
    """Returns the word that tells in a figure's file from which data it was drawn."""
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()
