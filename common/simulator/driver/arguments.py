"""Reads the options of nvcc, and those of g++ that build files pass to it.

The options that only a card's code needs (architectures, registers, ptxas) are accepted and mean
nothing. What asks for a card's code itself, such as -ptx, is refused.
"""

import dataclasses
import os
import shlex
import subprocess

CUDA, HOST, C, LINKED = "cu", "c++", "c", "linked"
LANGUAGES = {
    ".cu": CUDA,
    ".cc": HOST,
    ".cpp": HOST,
    ".cxx": HOST,
    ".C": HOST,
    ".c++": HOST,
    ".c": C,
}
# A long name, and the short one that means the same.
SHORT = dict(
    pair.split()
    for pair in """--output-file -o;--compile -c;--device-c -dc;--device-link -dlink
    --include-path -I;--system-include -isystem;--define-macro -D;--undefine-macro -U
    --pre-include -include;--library-path -L;--library -l;--x -x;--std -std
    --compiler-options -Xcompiler;--linker-options -Xlinker;--output-directory -odir
    --options-file -optf;--run -run;--lib -lib;--preprocess -E;--optimize -O;--debug -g
    --compiler-bindir -ccbin;--verbose -v;--dryrun -dryrun;--version -V;--help -h
    --ptx -ptx;--cubin -cubin;--fatbin -fatbin;--cuda -cuda;--shared -shared
    --generate-dependencies -M;--generate-nonsystem-dependencies -MM
    --generate-dependencies-with-compile -MD
    --generate-nonsystem-dependencies-with-compile -MMD;--dependency-output -MF
    --generate-dependency-targets -MP""".replace("\n", ";").split(";")
)
# The letters may be followed by the value at once, as in -Iinclude.
JOINED = ("-I", "-D", "-U", "-L", "-l", "-O", "-o", "-x", "-g", "-j", "-t")
# Take a value, and mean something here.
VALUED = {
    *("-o", "-I", "-D", "-U", "-L", "-l", "-x", "-std", "-include", "-isystem", "-Xcompiler"),
    *("-Xlinker", "-odir", "-optf", "-MF", "-MT", "-MQ", "-iquote", "-idirafter", "-ccbin"),
}
# Take a value, and mean nothing here.
IDLE_VALUED = set(
    """-arch --gpu-architecture -code --gpu-code -gencode --generate-code -m --machine
    -maxrregcount --maxrregcount -Xptxas --ptxas-options -Xnvlink --nvlink-options
    -Xfatbin --fatbin-options -Xarchive --archive-options -t --threads -rdc
    --relocatable-device-code -diag-suppress --diag-suppress -diag-warn --diag-warn -diag-error
    --diag-error -cudart --cudart -cudadevrt --cudadevrt -ftz --ftz -prec-div --prec-div -prec-sqrt
    --prec-sqrt -fmad --fmad -default-stream --default-stream -keep-dir --keep-dir -Xcudafe
    --cudafe-options -split-compile --split-compile -Werror --Werror -idp --input-drive-prefix
    -ldir --libdevice-directory -target-dir --target-directory -allow-unsupported-compiler
    -archbin --archiver-binary -opt-info --opt-info -jump-table-density -Ofc --Ofast-compile
    -static-global-template-stub""".split()
)
IDLE = set(
    """-G --device-debug -lineinfo --generate-line-info -use_fast_math --use_fast_math
    -extra-device-vectorization -keep --keep -save-temps -dlto -lto --dlink-time-opt
    -res-usage --resource-usage --source-in-ptx -src-in-ptx -restrict --restrict -w
    --disable-warnings -noprof -extended-lambda --extended-lambda -expt-extended-lambda
    --expt-extended-lambda -clean --clean
    --no-host-device-initializer-list --no-host-device-move-forward --Wno-deprecated-gpu-targets
    -Wno-deprecated-gpu-targets -Wno-deprecated-declarations --no-device-link -nodlink
    --compress-all -allow-unsupported-compiler -forward-unknown-to-host-compiler
    --forward-unknown-to-host-compiler -forward-unknown-opts -noeh --no-exceptions
    -no-align-double -m64 -m32 -objtemp -compress-mode --time -Wreorder -Wext-lambda-captures-this
    -Wdefault-stream-launch""".split()
)
REFUSED = {
    "-ptx": "PTX",
    "-cubin": "code for a card",
    "-fatbin": "code for a card",
    "-cuda": "code for a card",
    "-shared": "a shared library",
}
# From the toolkit, or from what comes with the simulator.
NO_LIBRARIES = {"cudart", "cudart_static", "cuda", "cudadevrt", "curand", "nvToolsExt", "rt"}
CUBLAS = ("cublas", "cublas_static")
LACKING_LIBRARIES = {
    **{name: "cublasLt" for name in ("cublasLt", "cublasLt_static")},
    **{name: "cuFFT" for name in ("cufft", "cufftw", "cufft_static")},
    **{name: "cuSPARSE" for name in ("cusparse", "cusparse_static")},
    **{name: "cuSOLVER" for name in ("cusolver", "cusolver_static", "cusolverMg")},
    **{name: "cuDNN" for name in ("cudnn",)},
    **{name: "NVRTC" for name in ("nvrtc",)},
    **{name: "NVML" for name in ("nvidia-ml",)},
    **{name: "NCCL" for name in ("nccl",)},
}


class Refused(Exception):
    """A sentence for the person who called the driver."""


@dataclasses.dataclass
class Input:
    path: str
    language: str


@dataclasses.dataclass
class Asked:
    """What a command line asks for."""

    inputs: list[Input] = dataclasses.field(default_factory=list)
    output: str = ""
    folder: str = ""  # of -odir
    standard: str = ""
    # One of link, -c, -dlink, -lib, -E, -M, -MM, -V, -h.
    task: str = "link"
    run: bool = False
    show: bool = False  # the commands
    dry: bool = False
    relaxed: bool = False  # --expt-relaxed-constexpr
    preprocessor: list[str] = dataclasses.field(default_factory=list)  # -I, -D and their like
    dependencies: list[str] = dataclasses.field(default_factory=list)  # -MD and its like
    compiler: list[str] = dataclasses.field(default_factory=list)  # -O2, and those of -Xcompiler
    linker: list[str] = dataclasses.field(default_factory=list)


def language_of(path: str, chosen: str) -> str:
    ending = os.path.splitext(path)[1]
    if chosen and ending in LANGUAGES:
        return {"cu": CUDA, "c++": HOST, "c": C}.get(chosen, LANGUAGES[ending])
    return LANGUAGES.get(ending, LINKED)


def split_values(words: list[str]) -> list[str]:
    """Splits -Xcompiler=-Wall,-O3 at the commas that stand outside of quotes."""
    found = []
    for word in words:
        splitter = shlex.shlex(word, posix=True, punctuation_chars=False)
        splitter.whitespace, splitter.whitespace_split = ", \t", True
        splitter.commenters = ""
        found += list(splitter)
    return found


def has_blas() -> bool:
    asked = ["g++", "-print-file-name=libblas.so"]
    said = subprocess.run(asked, capture_output=True, text=True, check=False).stdout
    return said.startswith("/")


def of_wrapper(compiler: str) -> list[str]:
    """Returns the options that a wrapper of MPI's, such as mpicxx, gives to the compiler in it;
    nothing for another compiler, as cusim has its own."""
    if not os.path.basename(compiler).startswith("mpi"):
        return []
    try:
        done = subprocess.run([compiler, "-show"], capture_output=True, text=True, check=False)
    except OSError as error:
        raise Refused(
            f"-ccbin {compiler}: {error.strerror}; install libopenmpi-dev, which has mpicxx"
        ) from None
    return shlex.split(done.stdout)[1:]


def read_file(path: str) -> list[str]:
    try:
        with open(path, encoding="utf-8") as file:
            return shlex.split(file.read())
    except OSError as error:
        raise Refused(f"{path}: {error.strerror}; it should hold options") from None


class Reader:
    def __init__(self, words: list[str]) -> None:
        self.words, self.at, self.asked, self.language = list(words), 0, Asked(), ""
        self.host_compiler = ""

    def value(self, name: str) -> str:
        self.at += 1
        if self.at >= len(self.words):
            raise Refused(f"{name} needs a value after it")
        return self.words[self.at]

    def read(self) -> Asked:
        while self.at < len(self.words):
            word = self.words[self.at]
            if word.startswith("-") and word != "-":
                self.option(word)
            else:
                self.asked.inputs.append(Input(word, language_of(word, self.language)))
                if self.asked.inputs[-1].language == LINKED:
                    self.asked.linker.append(word)
            self.at += 1
        self.of_compiler(of_wrapper(self.host_compiler))  # its libraries come last
        return self.asked

    def option(self, word: str) -> None:
        name, equals, value = word.partition("=")
        name = SHORT.get(name, name)
        if name in IDLE_VALUED:
            # The value of some may be left out: -Werror of g++, -t=0.
            if not equals and name not in ("-Werror", "-allow-unsupported-compiler"):
                self.value(name)
        elif name in VALUED and (equals or name == word or word in SHORT):
            self.valued(name, value if equals else self.value(name))
        elif word in IDLE or name in IDLE:
            pass
        elif name in REFUSED:
            raise Refused(
                f"{word}: cusim makes programs and objects for the simulated device, not "
                f"{REFUSED[name]}; leave {word} out"
            )
        elif word[:2] in JOINED and len(word) > 2 and word[:2] in VALUED:
            self.valued(word[:2], word[2:])
        else:
            self.flag(SHORT.get(word, word))

    def valued(self, name: str, value: str) -> None:
        asked = self.asked
        if name == "-o":
            asked.output = value
        elif name == "-odir":
            asked.folder = value
        elif name == "-ccbin":
            self.host_compiler = value
        elif name == "-x":
            self.language = value
        elif name == "-std":
            asked.standard = value
        elif name == "-optf":
            self.words[self.at + 1 : self.at + 1] = read_file(value)
        elif name == "-Xcompiler":
            self.of_compiler(split_values([value]))
        elif name == "-Xlinker":
            asked.linker += [f"-Wl,{one}" for one in split_values([value])]
        elif name == "-L":
            asked.linker.append(f"-L{value}")
        elif name == "-l":
            self.library(value)
        elif name in ("-MF", "-MT", "-MQ"):
            asked.dependencies += [name, value]
        else:  # several values of one -I stand with commas between
            values = value.split(",") if name in ("-I", "-isystem") else [value]
            for one in values:
                joined = name in ("-I", "-D", "-U")
                asked.preprocessor += [name + one] if joined else [name, one]

    def of_compiler(self, words: list[str]) -> None:
        """Takes words for g++ apart into those of its preprocessor, compiler and linker."""
        waits = ""
        for word in words:
            if waits:
                self.valued(waits, word)
                waits = ""
            elif word in ("-I", "-D", "-U", "-include", "-isystem", "-MF", "-MT", "-MQ", "-iquote"):
                waits = word
            elif word[:2] in ("-I", "-D", "-U"):
                self.asked.preprocessor.append(word)
            elif word[:4] == "-Wl," or word[:2] == "-L":
                self.asked.linker.append(word)
            elif word[:2] == "-l":
                self.library(word[2:])
            elif word[:2] == "-M":
                self.asked.dependencies.append(word)
            elif word[:5] == "-std=":
                self.asked.standard = word[5:]
            else:
                if word in ("-fopenmp", "-pthread", "-pg", "-static"):
                    self.asked.linker.append(word)
                self.asked.compiler.append(word)

    def library(self, name: str) -> None:
        if name in CUBLAS:
            if not has_blas():
                raise Refused(
                    f"-l{name}: cuBLAS takes a BLAS on the simulated device; install libblas-dev "
                    "or libopenblas-dev, or run on a card"
                )
            name = "blas"
        if name in LACKING_LIBRARIES:
            raise Refused(
                f"-l{name}: {LACKING_LIBRARIES[name]} is not available on the simulated device; "
                "take out what uses it, or run on a card"
            )
        if name not in NO_LIBRARIES:
            self.asked.linker.append(f"-l{name}")

    def flag(self, word: str) -> None:
        asked = self.asked
        if word in ("-c", "-dc", "-dw", "--device-w"):
            asked.task = "-c"
        elif word in ("-dlink", "-lib", "-E", "-M", "-MM", "-V", "-h"):
            asked.task = word
        elif word == "-run":
            asked.run = True
        elif word in ("-expt-relaxed-constexpr", "--expt-relaxed-constexpr"):
            asked.relaxed = True
        elif word in ("-v", "-dryrun"):
            asked.show, asked.dry = True, asked.dry or word == "-dryrun"
        elif word in ("-MD", "-MMD", "-MP"):
            asked.dependencies.append(word)
        elif word[:2] in ("-O", "-g"):
            asked.compiler.append(word)
        elif word in ("-pg", "--profile"):
            pass
        elif word[:2] in ("-f", "-W", "-m", "-p", "-n", "-s", "-r") or word in ("-w", "-ansi"):
            self.of_compiler([word])  # of g++, whose place cusim may take as well
        else:
            raise Refused(f"{word}: nvcc has no such option; cusim takes nvcc's")


def read(words: list[str]) -> Asked:
    return Reader(words).read()
