"""Checks a student's object and links it with the recorder: see common/verdict/record.

    gate.py --source kernel.cu --lab LAB --objects kernel.o [OBJECT...] --rest OBJECT...
            --known FILE --out PROGRAM... --compiler CXX --flags='-D...'
            --libraries='-l...' [--answers answers.h --untouched OBJECT] [--gated]
            [--others width-8.o...]

The first of the objects came from the source with these flags, or is gated already; the answers'
object is the second. The others came from the source with the TILE_WIDTH of their names, with which
their symbols end in the program.
Each program is linked with the rest that stands at its place, in the folder of the first. Beside a
rest stand its names and those that its tests want (.names, .wanted), as nm lists them.
Refuses an object that uses more than a lab needs, and answers that are more than numbers, with a
line on stderr that begins "refused: " and exit status 1. For any other, only the names of the
functions that the tests call are visible to the rest of the program. If a tool fails, or does not
list what it always lists, nothing is linked and the exit status is 2.
"""

import argparse
import functools
import os
import pathlib
import re
import shlex
import subprocess
import sys

import answers_gate
import recording
from device_code import ALLOWED, RUN, DeviceCode
from host_only import put_stubs
from refused_names import reason_against
from student_object import StudentObject, Unlisted
from student_source import StudentSource, names_the_simulator
from unheard import HEADERS, HEARS, functions, unheard

# Sections that compilers write; others could hold code or tables that run before the tests.
SECTIONS = (
    ".text .data .bss .rodata .tdata .tbss .init_array .fini_array .eh_frame .debug_ .comment .note"
    " .gcc_except_table .rel .symtab .strtab .shstrtab .group .llvm_addrsig .data.rel"
    " __patchable_function_entries"  # from __global__
).split()


# What namespace cusim holds: functions, what belongs to them, guards and tables of classes.
OF_SIMULATOR = re.compile(r"_Z(?:GV|T[VTISHW])?(?:Z+N?|N)?[rVKRO]*5cusim")

# By another name than the source's, as the build renames what the simulated device listens to.
RENAMED = pathlib.Path(__file__).parents[2] / "simulator/hooks/redirected.syms"


WIDTH = re.compile(r"-(\d+)\.o$")  # of tiles, with which an object was compiled
MOST_LETTERS = 1000  # of a name in a report


class Refused(Exception):
    pass


@functools.lru_cache(maxsize=None)
def source_names():
    """Returns the names that the compiler gave, by those that the build gave instead."""
    rows = (line.split() for line in RENAMED.read_text().splitlines() if line[:1] != "#")
    return {new: old for old, new in rows}


def source_name(symbol):
    return source_names().get(symbol, symbol)


def readable(symbol):
    """Returns the source's name of a symbol. One of many templates may be as long as memory: then the
    symbol stays as it is."""
    limited = 'ulimit -t 2; ulimit -v 262144; exec c++filt "$1"'
    command = ["sh", "-c", limited, "sh", source_name(symbol)]
    said = subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    return said if 0 < len(said) <= MOST_LETTERS else symbol[:MOST_LETTERS]


def known_symbols(path):
    facts = {"ours": set(), "offered": set(), "system": set(), "function": set()}
    with open(path) as file:
        for line in file:
            kind, _, what = line.rstrip("\n").partition(" ")
            facts[kind].add(what)
    if not all(facts.values()):
        raise Unlisted(f"{path} lacks a kind of facts")
    return facts


def told_by(compiler):
    """Returns what the compiler says of itself. It is asked each time, because the system's folders
    depend on the PATH by which it was found."""
    asked = [*compiler.split(), "-x", "c++", "-E", "-v", os.devnull]
    english = {**os.environ, "LC_ALL": "C"}
    return subprocess.run(asked, env=english, capture_output=True, text=True, check=True).stderr


def system_folders(told):
    """Returns the folders in which the compiler looks for the system's headers."""
    listed = told.partition("search starts here:")[2].partition("End of search list")[0]
    found = [line.strip() for line in listed.splitlines() if line.startswith(" /")]
    if not found:
        raise Unlisted("the compiler names no folder of headers")
    return found


def folder_of(arguments):
    """Returns the folder of the programs."""
    return os.path.dirname(arguments.out[0])


def preprocessed(arguments, width):
    """Returns the file that the preprocessor makes of the translated source."""
    file = os.path.join(folder_of(arguments), "gated.ii")
    command = shlex.split(f"{arguments.compiler} {arguments.flags}")
    command += [f"-DTILE_WIDTH={width}", "-w"] if width else []
    for folder in (os.path.dirname(arguments.source) or ".", arguments.lab):
        command += ["-iquote", folder]
    translated = arguments.objects[0].removesuffix(".o") + ".cpp"
    subprocess.run([*command, "-E", translated, "-o", file], check=True)
    return file


def check_source(arguments, told, width):
    line = names_the_simulator(pathlib.Path(arguments.source).read_text(errors="replace"))
    if line:
        raise Refused(f"{arguments.source}:{line}: names the simulated device (cusim)")
    root = os.getcwd()
    folders = [*system_folders(told), os.path.join(root, "common/simulator/include")]
    source = StudentSource(preprocessed(arguments, width), folders)
    own = os.path.dirname(os.path.realpath(arguments.source)) + os.sep
    lab = os.path.join(root, arguments.lab) + os.sep
    for file in source.files:
        path = os.path.realpath(file)
        header = path.startswith(lab) and path.endswith((".h", ".cuh"))
        if not (source.is_system(file) or path.startswith(own) or header):
            raise Refused(f"{arguments.source} includes {file}, which is no header of its own")
    for place, word in source.forbidden:
        raise Refused(f"{place}: '{word}' takes code out of the compiler's or the device's sight")


def check_sections(student):
    # Constructors may have any priority, because the guard is up before the first of them.
    for name, flags in student.sections():
        if name.startswith(".preinit_array"):
            raise Refused("the file has code that runs before the program starts (.preinit_array)")
        usual = any(name == s or name.startswith((s + ".", s)) for s in SECTIONS)
        if not usual or ("X" in flags and not name.startswith(".text")):
            raise Refused(f"the file has a section of its own, {name}")
    for symbol in student.resolvers():
        raise Refused(f"{readable(symbol)} is chosen while the program is loaded (ifunc)")
    place = student.system_call()
    if place is not None:
        raise Refused(f"{place}: an instruction makes a system call")


def check_uses(student, code, known, own):
    for symbol in sorted(student.undefined):
        if symbol in known["offered"]:
            continue
        reason = reason_against(source_name(symbol))
        if symbol in known["ours"] and symbol not in source_names():
            reason = "it belongs to the simulated device or to the tests"
        if reason:
            place = code.own_place(symbol, own) or student.line_of(symbol)
            name = readable(symbol)
            raise Refused(f"{place + ': ' if place else ''}uses {name}: {reason}")


def of_the_host(arguments, known):
    """Returns the runtime's functions for the host alone, except for a launch, which has a finding
    of its own."""
    with open(arguments.host_names) as file:
        asked = {line.split()[0] for line in file}
    # The others that store by a pointer.
    asked |= {name for name in known["offered"] if re.match(r"_Z\d+cuda\w+Version", name)}
    return {name for name in asked if not name.startswith(RUN)}


def check_kernels(code, known, host, own):
    """Returns the functions that kernels must not reach, but could by a pointer."""
    place = code.launches_by_hand()
    if place:
        raise Refused(f"{place}: launches a kernel by other means than <<<...>>>")

    def calls(by_pointers):
        for symbol, place in code.outside(own, by_pointers):
            offered = symbol in known["offered"] and symbol not in host
            if not (offered or ALLOWED.match(symbol)):
                yield symbol, place

    for symbol, place in calls(by_pointers=False):
        name = readable(symbol)
        raise Refused(
            f"{place}: kernel code calls {name}, a function of the host; nvcc refuses that, too"
        )
    return sorted({symbol for symbol, _ in calls(by_pointers=True)} & (known["function"] | host))


def check_heard(student, code, arguments, told):
    """Other compilers and processors have no list of what they do unheard."""
    if HEARS not in arguments.flags:
        if re.search(r"^Target: x86_64", told, re.MULTILINE) and "clang version" not in told:
            raise Unlisted("the build does not say that it adds hooks")
        return
    found = unheard(student, code)
    if found:
        raise Refused(found)


def check_owners(student, code):
    """Refuses a function of the simulated device that does not come from its headers, such as a
    specialization of a template: a kernel's accesses are not looked for in the headers' functions."""
    for function in functions(student):
        name = code.name(function.node)
        if OF_SIMULATOR.match(name) and not function.file.startswith(HEADERS):
            place = function.place or "?"
            raise Refused(f"{place}: defines {readable(name)}, of the simulated device")


def check_definitions(student, known):
    for symbol, kind in sorted(student.defined.items()):
        if kind not in "WVu" and OF_SIMULATOR.match(symbol):
            raise Refused(f"defines {readable(symbol)}, of the simulated device")
        # Every file that uses inline functions and templates defines them.
        if kind in "WVu":
            continue
        if source_name(symbol) in known["system"]:
            raise Refused(f"defines {readable(symbol)}, which the system's libraries define")
        if symbol in known["ours"] or symbol in known["offered"]:
            raise Refused(
                f"defines {readable(symbol)}, which the simulated device or the tests define"
            )


def seal(student, arguments, host_only, width):
    """Writes the object with all names local except those that the tests use; returns its path."""
    wanted = set().union(*(recording.listed(f"{rest}.wanted") for rest in arguments.rest))
    end = f".{width}" if width else ""
    kept = [f"--keep-global-symbol={s}{end}" for s in student.defined if f"{s}{end}" in wanted]
    # objcopy keeps all names unless at least one is given.
    kept.append("--keep-global-symbol=no_name_at_all")
    sealed = os.path.join(folder_of(arguments), f"gated{end}.o")
    merged = sealed + ".merged"
    pathlib.Path(sealed).unlink(missing_ok=True)
    try:
        # Functions of a header stand in groups, and a program keeps the first group of a name.
        # Taken out of the groups, the student's copies are used by the student's code only.
        subprocess.run(
            ["ld", "-r", "--force-group-allocation", student.path, "-o", merged], check=True
        )
        if host_only:
            put_stubs(merged, host_only, readable)
        recording.move_to_host(merged, arguments.host_names)
        if width:
            recording.end_names(merged, end)
        subprocess.run(["objcopy", *kept, merged, sealed], check=True)
    finally:
        if os.path.exists(merged):
            os.remove(merged)
    if not os.path.exists(sealed):
        raise Unlisted("objcopy has written no object")
    return sealed


def checked(student, arguments, width):
    """Returns the host's functions that kernels could reach by a pointer."""
    known, told = known_symbols(arguments.known), told_by(arguments.compiler)
    check_source(arguments, told, width)
    check_sections(student)
    code = DeviceCode(student)
    folder = os.path.dirname(os.path.realpath(arguments.source)) + os.sep

    def own(place):
        return os.path.realpath(place).startswith(folder)

    check_uses(student, code, known, own)
    host_only = check_kernels(code, known, of_the_host(arguments, known), own)
    check_heard(student, code, arguments, told)
    check_owners(student, code)
    check_definitions(student, known)
    return host_only


def gated(arguments, kernel):
    """Yields the paths of the student's objects as the program may hold them."""
    known, widths = {}, {WIDTH.search(path)[1]: path for path in arguments.others}
    for width, path in {"": kernel, **widths}.items():
        student, code = StudentObject(path, arguments.source), pathlib.Path(path).read_bytes()
        if code not in known:
            known[code] = checked(student, arguments, width)
        yield seal(student, arguments, known[code], width)


def check_answers(source, path, untouched):
    reason = answers_gate.reason_against(source, path, untouched, readable)
    if reason:
        raise Refused(f"{source} holds more than answers: {reason}")


def main():
    parser = argparse.ArgumentParser()
    needed = "source lab known host-names compiler flags libraries"
    for name in needed.split():
        parser.add_argument(f"--{name}", required=True)
    for name in ("objects", "rest", "out"):
        parser.add_argument(f"--{name}", nargs="+", required=True)
    parser.add_argument("--others", nargs="*", default=[])
    for name in ("answers", "untouched"):
        parser.add_argument(f"--{name}")
    parser.add_argument("--gated", action="store_true")
    arguments = parser.parse_args()
    try:
        kernel, *beside = arguments.objects
        kernels = [kernel] if arguments.gated else list(gated(arguments, kernel))
        if arguments.untouched:
            check_answers(arguments.answers, beside[0], arguments.untouched)
        folder, names = folder_of(arguments), arguments.host_names
        beside = [recording.asking_copy(path, folder, names) for path in beside]
        return recording.link(arguments, [*kernels, *beside], readable)
    except Refused as why:
        print(f"refused: {why}", file=sys.stderr)
        return 1
    except (OSError, Unlisted, subprocess.CalledProcessError) as error:
        print(f"gate: {error}; is binutils installed? (make doctor)", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
