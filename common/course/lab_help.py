"""What make help says in a lab."""

GOALS = "help test run hint watch progress reset figures sanitize".split()

TEXT = """\
make test                 check every exercise file, one fact a line
make test PART=name       only that part; here: {parts}
make test EXPLAIN=all     explain every failed test, not only the first
make progress             which TODOs are done, which is next, which are open
make hint                 a hint for the next TODO; TODO=3 for another,
                          AGAIN=1 shows the last one again
make watch                tests whenever you save, until Ctrl-C
make reset PART=name      the skeleton back in the place of name.cu
make run                  run kernel.cu once and show what it did
make run ARGS=--help      how to run it on other data sets
make sanitize             what compute-sanitizer finds on a real GPU
make figures              pictures of what your kernels do, to build/figures
With any of them: {solution}KERNEL=path/to/file.cu, TILE_WIDTH=n,
SCHEDULE=forward|reverse|random:SEED, DEVICE=sim|gpu, ARCH=90
DEVICE=gpu COMPILE_ONLY=1 compiles and links, runs nothing, needs no card
PROFILE=name simulates another device, with its limits: 8800gtx, cc12,
device-d, maxwell, turing, v100, h200; or the default one
make run TRACE=file.csv   who touched what when, of a small launch
make run CHECKS=list      only these: counters,races,unset,warps or none
"""


def text(parts: list[str], solutions: bool) -> str:
    return TEXT.format(parts=" ".join(parts), solution="SOLUTION=1, " if solutions else "")
