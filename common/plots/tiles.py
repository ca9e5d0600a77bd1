"""Collects figure 3: the tiles of each phase on the matrices, and one thread's elements."""

import math
import trace
from matrices import NothingToDraw, Product, threads_of


def places(product, loads, block, thread, phase, tile_width):
    """Returns what a thread loads, by matrix: [row, column, whether it is a zero fill].

    A zero fill has the place of the thread's element.
    """
    (bx, by), (tx, ty) = block, thread[:2]
    here = {
        "M": [by * tile_width + ty, phase * tile_width + tx, True],
        "N": [phase * tile_width + ty, bx * tile_width + tx, True],
    }
    for load in loads:
        element = load and product.element(*load)
        if element:
            here[element[0]] = [element[1], element[2], False]
    return here


def factors_of(product, pair):
    """Returns the places of a product's elements by matrix; a zero fill has none."""
    elements = [product.element(*load) for load in pair if load]
    if len({role for role, *_ in elements}) < len(elements):
        raise NothingToDraw("it shows kernels that multiply an element of M by one of N")
    return {role: list(place) for role, *place in elements}


def value(values, role, place):
    """Returns an element: zero if there is no place, NaN outside of the matrix."""
    if place is None:
        return 0
    rows, (row, column) = values[role], place[:2]
    return rows[row][column] if row < len(rows) and column < len(rows[0]) else math.nan


def factors(values, places):
    return [value(values, role, places.get(role)) for role in "MN"]


def adds_up(data):
    """Tells whether the products that are shown add up to the element that the thread stores."""
    (m, n), (row, column) = data["values"].values(), data["stored"]
    shown = (factors(data["values"], it) for phase in data["phases"] for it in phase["products"])
    return sum(map(math.prod, shown)) == sum(m[row][k] * n[k][column] for k in range(len(n)))


def fills_then_uses(own):
    """Tells whether a thread stores to shared memory only before a phase's first barrier, and
    loads from it only after."""
    return all(
        (event["what"] == "store") == (number % 2 == 0)
        for number, epoch in enumerate(trace.epochs(own))
        for event in epoch
        if event["space"] == "shared"
    )


def collect(run, block, thread):
    product = Product(run.events, run.shape)
    threads = threads_of(run.events, block)
    chosen = (*thread, 0)
    needs = NothingToDraw("it shows kernels that fill two tiles per phase, with two barriers")
    epochs = {len(trace.epochs(own)) for own in threads.values()}
    if len(epochs) != 1 or epochs == {1} or chosen not in threads:
        raise needs
    if not all(map(fills_then_uses, threads.values())):
        raise needs
    all_phases = trace.phases(threads)
    if any(len(loads) != 2 for own in all_phases.values() for loads, _ in own):
        raise needs
    result = []
    for number in range(len(all_phases[chosen])):
        tiles = {"M": [], "N": []}
        for other, own in all_phases.items():
            here = places(product, own[number][0], block, other, number, run.tile_width)
            for role, place in here.items():
                tiles[role].append(place)
        loads, products = all_phases[chosen][number]
        own = places(product, loads, block, chosen, number, run.tile_width)
        places_used = [factors_of(product, pair) for pair in products]
        result.append({"tiles": tiles, "own": own, "products": places_used})
    stores = [product.of_event(e) for e in threads[chosen] if e["what"] == "store"]
    stores = [list(element[1:]) for element in stores if element]
    data = {
        "shape": list(run.shape),
        "tile_width": run.tile_width,
        "block": list(block),
        "thread": list(thread),
        "values": {"M": run.matrix(0), "N": run.matrix(1)},
        "phases": result,
        "stored": stores[-1] if stores else None,
        "caption": run.caption(),
    }
    if run.right and stores and not adds_up(data):
        raise NothingToDraw("it shows kernels that store each element as soon as it is loaded")
    return data
