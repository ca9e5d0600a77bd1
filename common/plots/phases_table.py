"""The phases of a tiled kernel as Markdown tables, from a trace."""

import matrices
import trace


def element(place, columns):
    """Returns M[1][2] for index 6 of d_M with rows of 4; 0 if nothing was loaded."""
    if place is None:
        return "0"
    array, index = place
    return matrices.name((array.removeprefix("d_"), *divmod(index, columns[array])))


def name(thread):
    return f"({thread[0]},{thread[1]})"


def stored(events, columns):
    stores = [e for e in events if e["space"] == "global" and e["what"] == "store"]
    return " ".join(element((e["array"], e["index"]), columns) for e in stores) or "nothing"


def products(threads, columns):
    """Yields a line per thread and phase, with the products that the thread adds to Pvalue."""
    yield "| thread (tx,ty) | ph | Mds | Nds | Pvalue += |"
    yield "|---|---|---|---|---|"
    for thread, all_phases in trace.phases(threads).items():
        for number, (loads, factors) in enumerate(all_phases):
            cells = [element(load, columns) for load in loads]
            terms = [f"{element(m, columns)} * {element(n, columns)}" for m, n in factors]
            yield f"| {' | '.join([name(thread), str(number), *cells, ' + '.join(terms)])} |"


def fills(threads, columns):
    """Yields a line per thread, with what it puts into the tiles: 0 if it has nothing to load."""
    all_phases = trace.phases(threads)
    count = max(len(one) for one in all_phases.values())
    heads = [f"ph {number}: Mds | Nds" for number in range(count)]
    yield f"| thread (tx,ty) | {' | '.join(heads)} | stores |"
    yield "|---" * (2 * count + 2) + "|"
    for thread, one in all_phases.items():
        cells = [element(load, columns) for loads, _ in one for load in loads]
        yield f"| {' | '.join([name(thread), *cells, stored(threads[thread], columns)])} |"


def tables(path, columns, blocks, lines):
    """Yields the lines of products() or fills() for each block (x, y) of the trace in a file; columns
    gives the row length of each device array."""
    events = trace.read(path)
    for number, block in enumerate(blocks):
        if len(blocks) > 1:
            yield ("\n" if number else "") + "Block ({},{}):\n".format(*block)
        yield from lines(trace.of_block(events, block), columns)
