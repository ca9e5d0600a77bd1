#!/usr/bin/env python3
"""The phases of a tiled kernel as Markdown tables, from a trace.

usage: phases_table.py TRACE --columns d_M=4 d_N=4 d_P=4 --block 0,0 [--block ...]
                       [--products]

--columns gives the row length of each device array. With --products a line
is a thread's phase, with the products that it adds to Pvalue; without, a line
is a thread, with what it puts into the tiles, 0 where it has nothing to load.
"""

import argparse

import matrices
import trace


def element(place, columns):
    """Returns M[1][2] for index 6 of d_M with rows of 4; 0 where nothing was loaded."""
    if place is None:
        return "0"
    array, index = place
    return matrices.name((array.removeprefix("d_"), *divmod(index, columns[array])))


def name(thread):
    return f"({thread[0]},{thread[1]})"


def stored(events, columns):
    stores = [e for e in events if e["space"] == "global" and e["what"] == "store"]
    return " ".join(element((e["array"], e["index"]), columns) for e in stores) or "nothing"


def print_products(threads, columns):
    print("| thread (tx,ty) | ph | Mds | Nds | Pvalue += |")
    print("|---|---|---|---|---|")
    for thread, all_phases in trace.phases(threads).items():
        for number, (loads, products) in enumerate(all_phases):
            cells = [element(load, columns) for load in loads]
            terms = [f"{element(m, columns)} {element(n, columns)}" for m, n in products]
            print("|", " | ".join([name(thread), str(number), *cells, " + ".join(terms)]), "|")


def print_fills(threads, columns):
    all_phases = trace.phases(threads)
    count = max(len(one) for one in all_phases.values())
    heads = [f"ph {number}: Mds | Nds" for number in range(count)]
    print(f"| thread (tx,ty) | {' | '.join(heads)} | stores |")
    print("|---" * (2 * count + 2) + "|")
    for thread, one in all_phases.items():
        cells = [element(load, columns) for loads, _ in one for load in loads]
        print("|", " | ".join([name(thread), *cells, stored(threads[thread], columns)]), "|")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("trace")
    parser.add_argument("--columns", nargs="+", required=True, metavar="ARRAY=LENGTH")
    parser.add_argument("--block", action="append", required=True, metavar="X,Y")
    parser.add_argument("--products", action="store_true")
    arguments = parser.parse_args()
    columns = {name: int(length) for name, length in (c.split("=") for c in arguments.columns)}
    events = trace.read(arguments.trace)
    for number, block in enumerate(arguments.block):
        threads = trace.of_block(events, [int(part) for part in block.split(",")])
        if len(arguments.block) > 1:
            print(("\n" if number else "") + f"Block ({block}):\n")
        (print_products if arguments.products else print_fills)(threads, columns)


if __name__ == "__main__":
    main()
