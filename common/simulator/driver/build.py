"""Compiles and links for the simulated device."""

import contextlib
import dataclasses
import fcntl
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence

from driver import headers, messages
from driver.arguments import C, CUDA, LINKED, Asked, Input, Refused

SIMULATOR = pathlib.Path(__file__).resolve().parents[1]
ROOT = SIMULATOR.parents[1]
HEADERS = f"{SIMULATOR}/include"
OF_PROGRAM = [f"-I{HEADERS}", "-DCUSIM_PROGRAM"]
OLDEST_STANDARD = 17
UNSET = ["-Wuninitialized", "-Wmaybe-uninitialized"]
# One of these in a file of the program's own, and what belongs to it.
WARNING = re.compile(
    rf"^(?!/usr/|{re.escape(HEADERS)})\S.*: warning: .*uninitialized.*\n(?:.*(?: \| |: note: ).*\n)*",
    re.MULTILINE,
)
ARCHITECTURE = 700  # the simulated device's compute capability, as __CUDA_ARCH__ tells it


class Failed(Exception):
    """A step that did not succeed has said why."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


@dataclasses.dataclass
class Toolchain:
    """What the project's makefiles compile a .cu file with."""

    folder: pathlib.Path
    compiler: list[str]
    common: list[str]
    checked: list[str]
    libraries: list[str]
    hear: list[str]
    objcopy: list[str]


def is_newer(target: pathlib.Path) -> bool:
    """Tells whether everything that cusim needs is built, and newer than the simulator's files."""
    needed = (target.parent / "runtime.o", target.parent / "options")
    if not all(file.exists() for file in (*needed, target.parents[1] / "translate")):
        return False
    try:
        built = target.stat().st_mtime
    except FileNotFoundError:  # also where another process builds it now
        return False
    apart = ("tests", "driver", "programs", "bench")
    rooms = [room for room in SIMULATOR.iterdir() if room.is_dir() and room.name not in apart]
    sources = [file for room in rooms for file in room.rglob("*.*")]
    return all(file.stat().st_mtime <= built for file in [*sources, ROOT / "common/build.mk"])


def build_simulator(folder: pathlib.Path) -> None:
    """Builds the simulator's library, by the project's makefiles."""
    if not (folder / "cusim/runtime.o").exists():
        print("cusim: builds the simulated device, once; a minute or two", file=sys.stderr)
    # Another make above would pass on its variables and its jobs.
    apart = ("MAKE", "MFLAGS", "GNUMAKE", "CXX", "CC", "CFLAGS", "CPATH", "ARCH", "OUT")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(apart)}
    ready = folder / "cusim/ready"
    ready.unlink(missing_ok=True)  # make does not look for what a newer file was made from
    command = ["make", "--no-print-directory", "-s", "-C", str(ROOT), f"-j{os.cpu_count() or 1}"]
    done = subprocess.run(
        [*command, os.path.relpath(ready, ROOT)],
        env=kept,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        sys.stderr.write(done.stderr)
        raise Refused(f"the simulated device cannot be built; see make -C {ROOT} doctor")
    os.utime(ready)


def toolchain() -> Toolchain:
    """Returns it; builds the simulator's library where that is missing or old, and says so."""
    folder = ROOT / (os.environ.get("BUILD") or "build")
    if not is_newer(folder / "cusim/ready"):
        (folder / "cusim").mkdir(parents=True, exist_ok=True)
        with open(folder / "cusim/lock", "w", encoding="ascii") as lock:
            with contextlib.suppress(OSError):  # a network folder that knows no locks
                fcntl.flock(lock, fcntl.LOCK_EX)  # of a make with several jobs, each calls cusim
            if not is_newer(folder / "cusim/ready"):
                build_simulator(folder)
    values = {}
    for line in (folder / "cusim/options").read_text(encoding="utf-8").splitlines():
        name, _, value = line.partition(" ")
        values[name] = shlex.split(value)
    return Toolchain(folder, **values)


class Builder:
    def __init__(self, asked: Asked) -> None:
        self.asked, self.tools = asked, toolchain()
        self.here = os.getcwd() + "/"
        self.temporary = tempfile.mkdtemp(prefix="cusim-")
        self.count = 0

    def close(self) -> None:
        shutil.rmtree(self.temporary, ignore_errors=True)

    def scratch(self, ending: str) -> str:
        self.count += 1
        return f"{self.temporary}/{self.count}{ending}"

    def call(self, command: Sequence[str], instead: bool = False) -> str:
        """Runs a command and shows what it says, with the paths that the caller gave. Returns what
        it says; with `instead` shows nothing where it fails."""
        if self.asked.show:
            print("#$ " + shlex.join(command), file=sys.stderr)
        if self.asked.dry:
            return ""
        done = subprocess.run(command, stderr=subprocess.PIPE, check=False)
        said = messages.shortened(os.fsdecode(done.stderr).replace(self.here, ""), HEADERS)
        if done.returncode == 0 or not instead:
            sys.stderr.write(said)
        if done.returncode != 0:
            if instead:
                return said
            raise Failed(1 if done.returncode == 1 else 2)
        return ""

    @property
    def standard(self) -> str:
        digits = self.asked.standard[-2:]
        return f"-std=gnu++{max(OLDEST_STANDARD, int(digits) if digits.isdecimal() else 0)}"

    def kept(self) -> list[str]:
        """Returns what -Xcompiler passes that does no harm to code which calls hooks."""
        harmful = "-O -g -fsanitize -std -m -flto -fomit -ffast -fpic -fpie -fPI".split()
        return [word for word in self.asked.compiler if not word.startswith(tuple(harmful))]

    def preprocess(self, file: str, target: str) -> list[str]:
        """Returns the command that preprocesses a .cu file."""
        asked = self.asked
        words = [*OF_PROGRAM, "-D__CUDACC__", "-D__NVCC__", "-DCUSIM_KEYWORDS_LATER"]
        words += ["-include", "cuda_runtime.h", *asked.preprocessor]
        if asked.dependencies:
            words += asked.dependencies
            if "-MT" not in asked.dependencies and "-MQ" not in asked.dependencies:
                words += ["-MT", target]
            if "-MF" not in asked.dependencies:
                words += ["-MF", os.path.splitext(target)[0] + ".d"]
        language = ["-x", "c++", file]
        return [*self.tools.compiler, "-E", self.standard, *self.tools.common, *words, *language]

    def cuda(self, file: str, target: str) -> None:
        texts, translated = [self.scratch(".ii")], self.scratch(".cpp")
        preprocess = self.preprocess(file, target)
        self.preprocessed([*preprocess, "-o", texts[0]])
        if not self.asked.dry and self.complete_paths(texts[0]):
            texts.append(self.scratch(".ii"))
            self.preprocessed([*preprocess, f"-D__CUDA_ARCH__={ARCHITECTURE}", "-o", texts[1]])
            self.complete_paths(texts[1])
        words = [translated, file, HEADERS, *texts[1:]]
        relaxed = ["--expt-relaxed-constexpr"] if self.asked.relaxed else []
        self.call([f"{self.tools.folder}/translate", *relaxed, texts[0], *words])
        command = [*self.tools.compiler, self.standard, *self.tools.common, *self.tools.checked]
        command += ["-w", *self.kept(), f"-I{HEADERS}", "-include", "cusim/keywords.h", translated]
        warned = self.warn([*command, "-O1", "-fno-sanitize=all", *UNSET, "-S", "-o", "/dev/null"])
        made = self.scratch(".o")
        if self.tools.hear:
            listing = self.scratch(".s")
            self.call([*command, "-S", "-o", listing])
            hear = str(ROOT / self.tools.hear[0])
            self.call([sys.executable, "-E", "-S", hear, listing])
            self.call([*self.tools.compiler, "-c", listing, "-o", made])
        else:
            self.call([*command, "-c", "-o", made])
        self.tell_warnings(warned)
        renamed = f"{SIMULATOR}/hooks/redirected.syms"
        self.call([*self.tools.objcopy, f"--redefine-syms={renamed}", made])
        if not self.asked.dry:
            try:
                shutil.copyfile(made, target)  # which may be /dev/null
            except OSError as error:
                raise Refused(f"{target}: {error.strerror}; choose another file") from None

    def warn(self, command: list[str]) -> "subprocess.Popen[bytes] | None":
        """Compiles for the warnings alone, which g++ sees only when it optimises, if a file is
        named that takes them."""
        if not os.environ.get("CUSIM_WARNINGS") or self.asked.dry or "clang" in command[0]:
            return None
        command = [word for word in command if word not in ("-w", "-fsanitize=thread")]
        return subprocess.Popen(command, stderr=subprocess.PIPE, env={**os.environ, "LC_ALL": "C"})

    def tell_warnings(self, warned: "subprocess.Popen[bytes] | None") -> None:
        said = os.fsdecode(warned.communicate()[1]) if warned else ""
        if warnings := "".join(WARNING.findall(said.replace(self.here, ""))):
            with open(os.environ["CUSIM_WARNINGS"], "a", errors="surrogateescape") as file:
                file.write(warnings)

    def complete_paths(self, text: str) -> bool:
        """Gives the files of a preprocessed text their whole paths, by which findings show their
        lines from any folder. Refuses headers that are not the simulator's. Returns whether a file
        of the program's own asks for the device's architecture."""
        with open(text, "rb") as file:
            content = file.read()
        if sentence := headers.leaked(content, HEADERS):
            sys.stderr.write(sentence.replace(self.here, "") + "\n")
            raise Failed(1)
        here = os.fsencode(self.here).replace(b"\\", b"\\\\")

        def completed(marker: "re.Match[bytes]") -> bytes:
            whole = marker[2] if marker[2][:1] in (b"/", b"<") else here + marker[2]
            return b'# %s "%s"%s' % (marker[1], whole, marker[3])

        with open(text, "wb") as written:
            written.write(headers.MARKER.sub(completed, content))
        return headers.ask_for(b"__CUDA_ARCH__", content, HEADERS)

    def host(self, one: Input, target: str) -> None:
        asked = self.asked
        standard = asked.standard
        if one.language == C:
            compiler = ["gcc"]
            standard = standard if standard.startswith(("c9", "c1", "c2", "gnu")) else ""
            standard = f"-std={standard}" if standard and "++" not in standard else ""
        else:
            compiler, standard = self.tools.compiler, self.standard
        words = [*([standard] if standard else []), *OF_PROGRAM, *asked.preprocessor]
        words += asked.compiler
        # Those of a toolkit would not fit: their types are defined again, or their calls missing.
        listing = self.scratch(".d")
        listed = [*compiler, *words, "-M", "-MG", "-MF", listing, one.path]
        if not self.asked.dry and subprocess.run(listed, capture_output=True).returncode == 0:
            with open(listing, encoding="utf-8", errors="replace") as file:
                if sentence := headers.among(one.path, file.read().split(), HEADERS):
                    sys.stderr.write(sentence + "\n")
                    raise Failed(1)
        # The simulator survives a kernel's crash by a jump that _FORTIFY_SOURCE refuses.
        words += ["-U_FORTIFY_SOURCE", *asked.dependencies, "-c", one.path, "-o", target]
        self.preprocessed([*compiler, *words])

    def preprocessed(self, command: Sequence[str]) -> None:
        """Runs a command that reads headers; says of one of CUDA's that it needs the toolkit."""
        if said := self.call(command, instead=True):
            sentence = headers.missing(said, HEADERS)
            sys.stderr.write(f"{sentence}\n" if sentence else said)
            raise Failed(1)

    def compile(self, one: Input, target: str) -> None:
        if not os.path.exists(one.path):
            raise Refused(f"{one.path}: no such file")
        if one.language == CUDA:
            self.cuda(one.path, target)
        else:
            self.host(one, target)

    def sources(self) -> Iterator[Input]:
        return (one for one in self.asked.inputs if one.language != LINKED)

    def object_for(self, one: Input) -> str:
        name = os.path.splitext(os.path.basename(one.path))[0] + ".o"
        return os.path.join(self.asked.folder, name)

    def link(self) -> str:
        """Links the program, whose path it returns."""
        output = self.asked.output or "a.out"
        compiled: dict[str, str] = {}
        for number, one in enumerate(self.sources()):
            target = f"{self.temporary}/{number}-{os.path.basename(one.path)}.o"
            self.compile(one, target)
            compiled[one.path] = target
        objects = [compiled.get(one.path, "") for one in self.sources()]
        words = [*objects, *self.asked.linker, f"{self.tools.folder}/cusim/runtime.o"]
        command = [*self.tools.compiler, *words, *self.tools.libraries, "-o", output]
        if said := self.call(command, instead=True):
            sys.stderr.write(messages.undefined(said))
            raise Failed(1)
        return output


def listed_dependencies(builder: Builder) -> None:
    """Does what -M, -MM and -E ask for: writes to stdout, or to -o."""
    asked = builder.asked
    for one in builder.sources():
        command = builder.preprocess(one.path, "")
        command.remove("-DCUSIM_KEYWORDS_LATER")
        if asked.task != "-E":
            command += [asked.task, "-MT", builder.object_for(one)]
        builder.call([*command, *(["-o", asked.output] if asked.output else [])])


def perform(asked: Asked) -> int:
    """Does what a command line asks for; returns the exit status."""
    builder = Builder(asked)
    try:
        if asked.task in ("-E", "-M", "-MM"):
            listed_dependencies(builder)
        elif asked.task == "-c":
            for one in builder.sources():
                builder.compile(one, asked.output or builder.object_for(one))
        elif asked.task == "-dlink":  # a step that only a card's code needs: an empty object
            empty = builder.scratch(".cpp")
            pathlib.Path(empty).touch()
            output = asked.output or "a_dlink.o"
            builder.call([*builder.tools.compiler, "-c", empty, "-o", output])
        elif asked.task == "-lib":
            objects = [one.path for one in asked.inputs if one.language == LINKED]
            for one in builder.sources():
                objects.append(builder.scratch(".o"))
                builder.compile(one, objects[-1])
            builder.call(["ar", "rcs", asked.output or "a.a", *objects])
        else:
            program = builder.link()
            if asked.run and not asked.dry:
                return subprocess.run([os.path.abspath(program)], check=False).returncode
        return 0
    except Failed as failed:
        return failed.status
    finally:
        builder.close()
