"""Reports what is installed, what is missing, how to get it and what works without it.

Exit status 0: the labs can be done; 2: something that they need is missing. CXX in the environment
names another compiler than g++.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

SETUP = "common/setup"
INCLUDES = ("/usr/include", "/usr/local/include")
SILENT = {name: subprocess.DEVNULL for name in ("stdin", "stdout", "stderr")}


def output(*command: str) -> str:
    """Returns what a command prints, without its stderr; '' if it is not installed."""
    quiet, text = {"stderr": subprocess.DEVNULL}, {"encoding": "utf-8", "errors": "replace"}
    try:
        return subprocess.run(command, stdout=subprocess.PIPE, **quiet, **text).stdout.strip()
    except OSError:
        return ""


def first_file(*names: str) -> str:
    """Returns the text of the first of these files that exists; '' if none does."""
    paths = map(pathlib.Path, names)
    return next((path.read_text(encoding="utf-8") for path in paths if path.exists()), "")


def first_number(program: str, *words: str) -> str:
    """Returns the first number with a point in a program's output, "" if it is not installed."""
    if not program or not shutil.which(program):
        return ""
    found = re.search(r"[0-9]+(\.[0-9]+)+", output(program, *words))
    return found[0] if found else "(found)"


def at_least(oldest: int, version: str) -> bool:
    return int((re.findall(r"\d+", version) or [0])[0]) >= oldest


def compiler_version(compiler: str) -> str:
    return output(compiler, "-dumpfullversion", "-dumpversion") or output(compiler, "-dumpversion")


def catch_version() -> str:
    for folder in (f"{include}/catch2" for include in INCLUDES):
        if os.path.exists(f"{folder}/catch_all.hpp"):
            text = first_file(f"{folder}/catch_version_macros.hpp")
            return ".".join(re.findall("(?m)^#define CATCH_VERSION_[MP][A-Z]* (.*)", text))
        if os.path.exists(f"{folder}/catch.hpp"):
            found = re.search("Catch v([0-9.]*)", first_file(f"{folder}/catch.hpp"))
            return found[1] if found else ""
    return ""


def boost_version() -> str:
    if not output(f"{SETUP}/boost_context.sh"):
        return ""
    text = first_file(*(f"{include}/boost/version.hpp" for include in INCLUDES))
    found = re.search('(?m)^#define BOOST_LIB_VERSION "(.*)"', text)
    return found[1].replace("_", ".") if found else ""


def backtrace_there() -> str:
    """Looks in the folder of g++, which contains it whichever compiler is used."""
    names = ("libbacktrace.a", "include/backtrace.h")
    files = [output("g++", f"-print-file-name={name}") for name in names]
    return "with g++" if all(map(os.path.exists, files)) else ""


def package_version(python: str, package: str) -> str:
    """Returns the version in the package's metadata; python.sh has already imported its module."""
    program = f"from importlib.metadata import version; print(version('{package}'))"
    return output(python, "-c", program) if python else ""


class Report:
    """Prints a line or two per item, and collects what to install."""

    def __init__(self) -> None:
        self.to_install: dict[str, None] = {}
        self.lacks = False

    def line(self, verdict: str, what: str, purpose: str, *more: str) -> None:
        print(f"  {verdict:8} {what:22} {purpose}")
        for text in filter(None, more):
            print(f"  {'':8}   {text}")

    def needed(self, name: str, version: str, purpose: str, package: str, more: str = "") -> None:
        if version:
            self.line("ok", f"{name} {version}", purpose, more)
            return
        self.line("MISSING", name, purpose, f"get it: sudo apt-get install {package}")
        self.to_install[package] = None
        self.lacks = True

    def optional(
        self, name: str, version: str, purpose: str, get: str, without: str, more: str = ""
    ) -> None:
        if version:
            self.line("ok", f"{name} {version}", purpose, more)
        else:
            self.line("not here", name, purpose, f"get it: {get}", f"without it: {without}", more)

    def too_old(self, name: str, version: str, purpose: str, get: str) -> None:
        self.line("TOO OLD", f"{name} {version}", purpose, f"get it: {get}")


def may_install() -> bool:
    """Tells whether this user may become root, as far as that is known without a password."""
    groups = {"root", "sudo", "wheel", "admin"}
    known = groups.intersection(output("id", "-nG").split())
    return bool(known) or subprocess.run(["sh", "-c", "sudo -n true"], **SILENT).returncode == 0


def show_machine() -> bool:
    """Tells whether the course runs on this system."""
    system = re.search('(?m)^PRETTY_NAME="(.*)"', first_file("/etc/os-release"))
    machine = output("uname", "-m")
    name = system[1] if system else output("uname", "-s")
    print(f"The course: version {first_file('common/VERSION').strip()}")
    print(f"This machine: {name}, {machine}, {output('nproc') or os.cpu_count()} processors")
    sys.stdout.flush()
    if subprocess.call([f"{SETUP}/linux.sh"]):
        return False
    if re.search("[Mm]icrosoft", output("uname", "-r")):
        print("WSL: the card uses the driver of Windows; install no driver in Linux.")
        # Drives of Windows have the file system 9p.
        if output("stat", "-f", "-c", "%T", ".") == "v9fs":
            print("WSL: folders on Windows drives are slow; clone the course below ~ instead.")
    if os.environ.get("CODESPACES") == "true":
        print("Codespaces: commit and push your work; unused codespaces are deleted.")
    elif "container" in os.environ or os.path.exists("/.dockerenv"):
        print("A container: files outside the course folder are lost when it is removed.")
    if machine in ("aarch64", "arm64"):
        print("arm64: the labs report the same as on x86-64; grading was never tested.")
        print("CUDA calls this platform arm64-sbsa. On a Jetson, CUDA is part of JetPack.")
    elif machine != "x86_64":
        print(f"{machine}: never tested; the course is tested on x86_64 and arm64.")
    return True


def show_needed(report: Report, python: str) -> None:
    print("\nNeeded:")
    compiler = os.environ.get("CXX") or "g++"
    version = compiler_version(compiler)
    oldest = 14 if "clang" in compiler else 11
    if version and not at_least(oldest, version):
        get = "sudo apt-get install g++-11, then make CXX=g++-11"
        report.too_old(compiler, version, f"C++17; {oldest} or newer", get)
        report.lacks = True
    else:
        report.needed(compiler, version, "compiles kernels, tests, simulator", "g++")
    make, objcopy = (first_number(program, "--version") for program in ("make", "objcopy"))
    boost, threads = boost_version(), "the simulator's threads"
    report.needed("make", make, "builds and runs everything", "make")
    report.needed("objcopy", objcopy, "makes memory copies visible", "binutils")
    report.needed("Catch2", catch_version(), "the framework of the tests", "catch2")
    report.needed("Boost.Context", boost, threads, "libboost-context-dev")
    report.needed("libbacktrace", backtrace_there(), "finds the source line of an error", "g++")
    version = first_number(python, "--version")
    report.needed("Python", version, "the course's own tools", "python3", python)


# How to get a card in the notebooks of a service, by a variable that they set.
NOTEBOOKS = {
    "COLAB_RELEASE_TAG": "Runtime > Change runtime type > a GPU; run all cells again",
    "KAGGLE_KERNEL_RUN_TYPE": "Settings > Accelerator > a GPU; the session starts again",
}


def show_fit(report: Report, nvcc: str, toolkit: str) -> None:
    """Reports a g++ that is too new for nvcc, and a driver that is too old for the toolkit."""
    command = (nvcc, "-x", "cu", "-E", "-o", os.devnull, os.devnull)
    said = subprocess.run(command, capture_output=True, text=True, errors="replace").stderr
    if newest := re.search(r"gcc versions later than (\d+)", said):
        own, older = compiler_version("g++"), f"g++-{newest[1]}"
        get = f"sudo apt-get install {older}"
        then = f"then: export NVCC_PREPEND_FLAGS='-ccbin {older}'"
        report.line(
            "TOO NEW", f"g++ {own}", f"nvcc takes {newest[1]} or older", f"get it: {get}", then
        )
    runs = output(f"{SETUP}/cuda.sh", "runs")
    if runs and not at_least(int(toolkit.split(".")[0]), runs):
        get = f"a newer driver, or the CUDA toolkit {runs.split('.')[0]}"
        report.too_old("driver", f"for CUDA {runs}", f"the toolkit is {toolkit}", get)


def show_cuda(report: Report) -> None:
    on_simulator = "all labs, on the simulator"
    nvcc = output(f"{SETUP}/cuda.sh", "nvcc")
    found = re.search("release ([0-9.]*)", output(nvcc, "--version")) if nvcc else None
    toolkit = found[1] if found else ""
    downloads = "developer.nvidia.com/cuda-downloads"
    if toolkit and not at_least(12, toolkit):
        report.too_old("CUDA toolkit", toolkit, "DEVICE=gpu; 12 or newer", downloads)
    else:
        report.optional("CUDA toolkit", toolkit, "DEVICE=gpu", downloads, on_simulator, nvcc)
    card, _, rest = output(f"{SETUP}/cuda.sh", "card").partition(", compute capability ")
    version, purpose = ("(found)", card) if card else ("", "DEVICE=gpu")
    get, more = (
        next((click for name, click in NOTEBOOKS.items() if name in os.environ), "")
        or "a card of compute capability 7.5 or later, and its driver",
        f"compute capability {rest}",
    )
    report.optional("NVIDIA card", version, purpose, get, on_simulator, rest and more)
    arch = f"sm_{rest.partition(',')[0].replace('.', '')}"
    known = output(nvcc, "--list-gpu-code").split() if nvcc and rest else []
    if known and arch not in known:
        report.too_old("CUDA toolkit", toolkit, f"does not know the card's {arch}", downloads)
    if toolkit:
        show_fit(report, nvcc, toolkit)
    sanitizer = first_number(output(f"{SETUP}/cuda.sh", "sanitizer"), "--version")
    get, without = "it comes with the CUDA toolkit", "all labs; the simulator finds more"
    report.optional("sanitizer", sanitizer, "make sanitize, on a card", get, without)


def thrust_version() -> str:
    found = re.search(r"define THRUST_VERSION (\d+)", first_file("/usr/include/thrust/version.h"))
    return f"{int(found[1]) // 100000}.{int(found[1]) // 100 % 1000}" if found else ""


def show_optional(report: Report, python: str) -> None:
    print("\nOptional:")
    pictures = output(f"{SETUP}/python.sh", "matplotlib", "numpy", "PIL")
    matplotlib = package_version(pictures, "matplotlib")
    get, without = "sudo apt-get install python3-matplotlib", "everything except pictures"
    more = "" if pictures in ("", python) else f"in {pictures}; the Python above does not have it"
    report.optional("matplotlib", matplotlib, "make figures", get, without, more)
    reader = package_version(output(f"{SETUP}/python.sh", "elftools"), "pyelftools")
    get, without = "sudo apt-get install python3-pyelftools", "everything except make explore"
    report.optional("pyelftools", reader, "make explore", get, without)
    get, without = "sudo apt-get install libthrust-dev", "all programs that do not use Thrust"
    report.optional("Thrust", thrust_version(), "make try, with programs that use it", get, without)
    get, without = "sudo apt-get install libblas-dev", "all programs that do not use cuBLAS"
    blas = "found" if output("g++", "-print-file-name=libblas.so").startswith("/") else ""
    report.optional("BLAS", blas, "make try, with programs that use cuBLAS", get, without)
    show_cuda(report)
    pytest = package_version(output(f"{SETUP}/python.sh", "pytest", "xdist"), "pytest")
    labs, confined = "all labs, and make grade", "grading, with weaker isolation"
    # The program, its name, its purpose, the package, and what works without it.
    for program, name, purpose, package, without in (
        ("clang++", "", "a second compiler: CXX=clang++", "clang", "everything, with g++"),
        ("clang-format", "", "formats your source", "clang-format", "everything"),
        ("", "pytest", "teachers: make test", "python3-pytest-xdist", labs),
        ("git", "", "teachers: make release, make test", "git", labs),
        ("bwrap", "bubblewrap", "teachers: make grade, isolated", "bubblewrap", confined),
        (
            "sbatch",
            "Slurm",
            "teachers: grading on a cluster",
            "slurm-wlm",
            "grading on this machine",
        ),
    ):
        if purpose.startswith("teachers:") and not os.path.isdir("solutions"):
            continue
        version = first_number(program, "--version") if program else pytest
        get = f"sudo apt-get install {package}"
        report.optional(name or program, version, purpose, get, without)


def main() -> int:
    report = Report()
    python = output(f"{SETUP}/python.sh", "json")
    if not show_machine():
        return 2
    show_needed(report, python)
    show_optional(report, python)
    print()
    if not report.lacks:
        print("All labs can be done here.")
        return 0
    print("The labs cannot be built yet. What is missing or too old is marked above.")
    if report.to_install:
        print(f"Debian, Ubuntu:  sudo apt-get install {' '.join(report.to_install)}")
    if not may_install():
        print("You may not install packages here. Ask the administrator of this machine, or")
        print('use the container: see "Your machine" in README.md.')
    if "MODULESHOME" in os.environ:
        print("Modules may offer a newer g++ or Python: module avail gcc python")
    return 2


if __name__ == "__main__":
    sys.exit(main())
