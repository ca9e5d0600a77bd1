"""Does what nvcc's command line asks for, on the simulated device."""

import sys

from driver import arguments, build

HELP = """\
usage: cusim [options] file...      as nvcc: .cu, .cpp, .c, .o and .a files

cusim -o prog prog.cu && ./prog     compiles for the simulated device and runs
make NVCC=path/to/cusim             builds a project with it

Findings go to stderr, as soon as they are found. For a program that it built:
CUSIM_CHECKS=list           only these: counters,races,unset,warps or none
CUSIM_SCHEDULE=order        forward, reverse or random:SEED
CUSIM_PROFILE=name          another device's limits
CUSIM_TRACE=file.csv        every memory access of small launches: thread, element, line
CUSIM_FINDINGS=file         findings go there, one JSON object a line
CUSIM_EXIT_STATUS=n         the program's exit status where there are findings
CUSIM_SUMMARY=always        the summary also says that nothing was found
"""
VERSION = """\
cusim: stands in for nvcc, the CUDA compiler, on a machine without a GPU
Cuda compilation tools, release 13.0, V13.0.0
"""


def main(words: list[str]) -> int:
    try:
        asked = arguments.read(words)
        if asked.task in ("-V", "-h"):
            print(VERSION if asked.task == "-V" else HELP, end="")
            return 0
        if not asked.inputs:
            raise arguments.Refused("no file is named; cusim --help says how to call it")
        if asked.output and asked.task == "-c" and len(asked.inputs) > 1:
            raise arguments.Refused("-c with -o takes one file; leave -o out for several")
        return build.perform(asked)
    except arguments.Refused as sentence:
        print(f"cusim: {sentence}", file=sys.stderr)
        return 2
