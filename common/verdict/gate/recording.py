"""Links the recording program, in which the student's code finds no name but its own."""

import os
import pathlib
import re
import shlex
import subprocess
import sys

from student_object import Unlisted, output_of

UNDEFINED = set("Uw")
DEFINED = set("ABCDGRSTVWu")
# For launches, which the device's process knows by them (see ../host/launches.cpp).
PACKED = "_ZN5cusim6detail6Packed"
# The stack holds no code, and nothing is written to the tables of the loader.
HARDENED = ["-Wl,-z,noexecstack", "-Wl,-z,relro", "-Wl,-z,now", "-Wl,--no-demangle"]
SYMBOL = re.compile(r"\b_Z\w+")


def names(*files):
    """Yields name and type of each symbol of these files."""
    for line in output_of("nm", "--format=posix", *files).splitlines():
        words = line.split()
        if len(words) >= 2 and len(words[1]) == 1 and words[1].isalpha():
            yield words[0], words[1]


def end_names(path, end):
    """Makes what an object defines end so, as the rule of renamed-%.o in common/program.mk does, but
    for what launches are known by."""
    own = {name for name, kind in names(path) if name[:3] == "_ZZ" or kind in DEFINED}
    own = {name for name in own if not name.startswith(PACKED)}
    list_of_names = pathlib.Path(f"{path}.syms")
    list_of_names.write_text("".join(f"{name} {name}{end}\n" for name in sorted(own)))
    subprocess.run(["objcopy", f"--redefine-syms={list_of_names}", path], check=True)
    list_of_names.unlink()


BY_PRIORITY = """SECTIONS { .init_array :
    { *(SORT_BY_INIT_PRIORITY(.init_array.*)) *(.init_array) } }"""


def order_constructors(path):
    """Puts the constructors in the order of their priorities, as a linker does it with a program's
    own array."""
    script, ordered = pathlib.Path(f"{path}.ld"), f"{path}.ordered"
    script.write_text(BY_PRIORITY, encoding="ascii")
    subprocess.run(["ld", "-r", "-T", script, path, "-o", ordered], check=True)
    os.replace(ordered, path)
    script.unlink()


def move_to_host(path, host_names):
    """Lets an object ask the stubs of the runtime's functions (see ../host), and gives constructors,
    destructors and variables sections of names by which the process of host code finds them."""
    listed = output_of("readelf", "--wide", "--sections", path)
    if ".init_array." in listed:
        order_constructors(path)
        listed = output_of("readelf", "--wide", "--sections", path)
    row = re.compile(r"^ *\[ *\d+\] (\S+) +([A-Z_]+) .* ([A-Z]+) +\d+ +\d+ +\d+$", re.MULTILINE)
    new = {}
    for name, kind, flags in row.findall(listed):
        if kind == "INIT_ARRAY":
            # With flags it gets the type of data; else gold takes it for the program's own array.
            new[name] = "student_init,alloc,load,data,contents"
        elif kind == "FINI_ARRAY":
            # Nothing runs these: the process of host code ends without them.
            new[name] = "student_fini,alloc,load,data,contents"
        elif flags == "WA" and name.startswith((".data", ".bss")) and ".rel.ro" not in name:
            new[name] = "student_bss" if kind == "NOBITS" else "student_data"
    if "student_init" not in {name.partition(",")[0] for name in new.values()}:
        raise Unlisted(f"readelf lists no constructor of {path}")  # each file with hooks has one
    renamed = [f"--rename-section={old}={name}" for old, name in sorted(new.items())]
    subprocess.run(["objcopy", f"--redefine-syms={host_names}", *renamed, path], check=True)


def asking_copy(path, folder, host_names):
    """Returns the path of a copy of a course's object that asks the stubs as well."""
    copy = os.path.join(folder, "beside-" + os.path.basename(path))
    subprocess.run(["objcopy", f"--redefine-syms={host_names}", path, copy], check=True)
    return copy


def listed(path):
    """Returns the names that nm has listed in a file."""
    with open(path) as lines:
        found = {line.split()[0] for line in lines}
    if not found:
        raise Unlisted(f"{path} is empty")
    return found


def kept_names(rest, own):
    """Returns the names that a program keeps: those of the student's code and of what belongs to it,
    as findings name kernels, shared arrays and lines of theirs; nothing else is to be found."""
    of_the_rest = listed(f"{rest}.names")
    packed = {name for name in own | of_the_rest if name.startswith(PACKED)}
    return sorted(own - of_the_rest | packed | {"cusimDynamicShared"})


def link(arguments, objects, readable):
    """Links the student's objects with the rest of each program. Returns the linker's status; its
    reason is told with readable(symbol) for each symbol."""
    compiler, libraries = shlex.split(arguments.compiler), shlex.split(arguments.libraries)
    # The tests' names for the student's functions are undefined in the rest.
    own = {name for name, kind in names(*objects) if kind not in UNDEFINED}
    for program, rest in zip(arguments.out, arguments.rest):
        new = f"{program}.new"
        # Beside the program: a build that is confined may write nowhere else.
        kept = pathlib.Path(f"{program}.names")
        kept.write_text("".join(f"{name}\n" for name in kept_names(rest, own)))
        keeps = f"-Wl,--retain-symbols-file={kept}"
        command = [*compiler, *HARDENED, keeps, *objects, rest, *libraries, "-o", new]
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
        kept.unlink()
        if done.returncode != 0:
            named = {symbol: readable(symbol) for symbol in set(SYMBOL.findall(done.stderr))}
            said = SYMBOL.sub(lambda found: named[found[0]], done.stderr)
            print(said, file=sys.stderr, end="")
            return done.returncode
        pathlib.Path(new).replace(program)
    return 0
