#!/usr/bin/env python3
"""Lists what the gate knows of the programs that a student's object is linked with.

    known_symbols.py OUTPUT OBJECT-OR-LIBRARY...       CXX names the compiler

One fact a line:
    ours SYMBOL      defined in our libraries and test programs, no business of judged code
    offered SYMBOL   defined there, and declared in the headers that a .cu file sees
    system SYMBOL    defined in the system's libraries
    function SYMBOL  the same, where it is a function
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

from student_object import Unlisted, output_of

INCLUDE = pathlib.Path("common/simulator/include")
COMPILER = os.environ.get("CXX") or "g++"
LIBRARIES = (
    "libc.so.6 libm.so.6 libstdc++.so.6 libgcc_s.so.1 libpthread.so.0 libdl.so.2"
    " ld-linux-x86-64.so.2 ld-linux-aarch64.so.1"
).split()
# Templates and inline functions of the standard library, which any file may bring along.
LIBRARY_S = re.compile(r"(_ZNK?St|_ZSt|_ZNK?9__gnu|_ZN9__gnu|_ZT[ISV]|_ZNSt)")
# Among global names, the compiler's hooks and CUDA's own are offered.
HOOK = re.compile(r"__(tsan|ubsan)_|cusim(Mem|Math_|Lock_)")
CUDA = re.compile(r"((?:cuda|atomic)[A-Z]\w*|__[a-z_]*|clock\w*)\(")
# Beside the variables of CUDA the name that the translator gives extern __shared__ T name[];
BUILT_IN = {"threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize", "cusimDynamicShared"}
# Folders of headers that end the compilation of a lab's file.
NOT_FOR_LABS = {"thrust", "cub"}
# A name that the headers offer and one that only the simulator has, to see that the probe works.
PROBES = {"Where": True, "runOnWorker": False}
MEMBER = re.compile(r"cusim::(\w*)(.*)", re.ASCII | re.DOTALL)


def symbols(*options):
    """Yields name and type of each symbol that nm lists."""
    for line in output_of("nm", "--defined-only", "--format=posix", *options).splitlines():
        words = line.split()
        if len(words) >= 2 and not words[0].endswith(":"):
            yield words[0], words[1]


def readable(names):
    """Returns the names as the source has them."""
    asked = "".join(f"{name}\n" for name in names)
    done = subprocess.run(["c++filt"], input=asked, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def declared(names):
    """Returns those names of namespace cusim for which a using-declaration compiles. Raises Unlisted
    if the compiler ends before the last of them, or judges one of PROBES wrongly."""
    headers = sorted(path.relative_to(INCLUDE) for path in INCLUDE.rglob("*.h"))
    probe = ["#include <cuda_runtime.h>"]
    for header in headers:
        ends = header.parts[0] in NOT_FOR_LABS or "#error" in (INCLUDE / header).read_text()
        probe += [] if ends else [f"#include <{header}>"]
    asked = [*names, *PROBES]
    probe += ['#line 1 "names"', *(f"using cusim::{name};" for name in asked)]
    with tempfile.NamedTemporaryFile("w", suffix=".cpp") as file:
        file.write("\n".join(probe) + "\n")
        file.flush()
        command = [*COMPILER.split(), "-std=c++17", "-fsyntax-only", "-fmax-errors=0"]
        command += ["-fno-diagnostics-show-caret", f"-I{INCLUDE}", "-x", "c++", file.name]
        said = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False).stderr
    refused = set()
    for line in said.splitlines():
        found = re.match(r"names:(\d+):[^ ]* error: ", line)
        if found:
            refused.add(asked[int(found[1]) - 1])
        elif re.search(r"\berror: ", line):
            raise Unlisted(f"the names that the headers offer: {line}")
    for name, offered in PROBES.items():
        if (name not in refused) != offered:
            raise Unlisted(f"the names that the headers offer: wrong about cusim::{name}")
    return set(names) - refused


def is_offered(symbol, name, known):
    member = MEMBER.match(name)
    if member:
        first, rest = member.groups()
        if not re.match(r"[(:<\[]|$", rest):  # what a template of another namespace returns
            return False
        # A function of the namespace, or the constructor of a class.
        return first in known and (not rest.startswith("::") or rest.startswith(f"::{first}("))
    if HOOK.match(symbol) or name in BUILT_IN:
        return True
    return bool(CUDA.match(name))


def ours(objects):
    """Yields the facts on the symbols of these objects and libraries."""
    defined = sorted(
        {
            name
            for name, kind in symbols("--extern-only", *objects)
            if not (kind in "VWu" and LIBRARY_S.match(name))
        }
    )
    names = readable(defined)
    members = {found[1] for found in map(MEMBER.match, names) if found and found[1]}
    known = declared(sorted(members))
    for symbol, name in zip(defined, names, strict=True):
        yield f"{'offered' if is_offered(symbol, name, known) else 'ours'} {symbol}"


# For each kind, a fact that every list holds.
ALWAYS = {
    "ours _ZN5cusim12startWorkersEi",
    "offered _Z16cudaGetLastErrorv",
    "system environ",
    *(f"function {name}" for name in ("fork", "sqrt", "__cxa_throw", "_Unwind_Resume")),
}


def installed(library):
    """Returns the library's path, as the compiler or the loader knows it; None without one."""
    named = output_of(*COMPILER.split(), f"-print-file-name={library}").strip()
    if os.path.isfile(named):
        return named
    try:
        listed = output_of("ldconfig", "-p")
    except (OSError, subprocess.CalledProcessError):
        return None
    found = re.search(rf"^\s*{re.escape(library)} .* (\S+)$", listed, re.MULTILINE)
    return found[1] if found and os.path.isfile(found[1]) else None


def of_the_system():
    """Yields the facts on the symbols of the system's libraries."""
    for path in filter(None, map(installed, LIBRARIES)):
        for name, kind in symbols("--dynamic", path):
            plain = name.partition("@")[0]
            yield f"system {plain}"
            if kind in "TWi":
                yield f"function {plain}"


def main():
    output, *objects = sys.argv[1:]
    os.environ["PATH"] += ":/usr/sbin:/sbin"  # of ldconfig, which not everybody's path reaches
    facts = [*ours(objects), *sorted(set(of_the_system()))]
    missing = ALWAYS.difference(facts)
    if missing:
        raise Unlisted(f"{output}: there is no '{min(missing)}' among {len(facts)} facts")
    with open(output, "w") as file:
        file.writelines(f"{fact}\n" for fact in facts)


if __name__ == "__main__":
    main()
