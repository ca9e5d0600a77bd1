"""Refuses headers of CUDA's that the simulated device lacks, in a sentence with file and line:
if none is found, and where the toolkit's own would be taken, which do not fit the simulator's.
"""

import itertools
import os
import re
from typing import Optional

# What begins like this belongs to the toolkit.
OF_TOOLKIT = re.compile(
    r"(?:.*/)?(?:(?:thrust|cub|cuda|nv|crt|nvtx3|cooperative_groups|cute|cutlass)/.*|"
    r"(?:cu(?:da|blas|fft|sparse|solver|rand|dnn|file|pti|tensor)|npp|nccl"
    r"|nv(?:ml|rtc|ToolsExt|jpeg|JitLink)|cooperative_groups|sm_\d\d|device_|driver_|host_|math_|mma"
    r"|surface_|texture_|vector_"
    r"|channel_descriptor|library_types|builtin_types|common_functions|fatbinary|generated_)\w*"
    r"\.(?:h|hpp|inl|cuh))"
)
NEEDS = {
    "thrust/": "Thrust",
    "cub/": "CUB",
    "cuda/std/": "libcu++",
    "cuda/": "libcu++",
    "cooperative_groups": "cooperative groups",
    "cublasXt": "cublasXt",
    "cublasLt": "cublasLt",
    "cublas.h": "the interface that cuBLAS had before CUDA 4",
    "cublas": "a part of cuBLAS",
    "cufft": "cuFFT",
    "cusparse": "cuSPARSE",
    "cusolver": "cuSOLVER",
    "curand": "cuRAND",
    "cudnn": "cuDNN",
    "cutlass/": "CUTLASS",
    "cute/": "CUTLASS",
    "npp": "NPP",
    "nvml": "NVML",
    "nvrtc": "NVRTC",
    "nccl": "NCCL",
    "nvToolsExt": "NVTX",
    "nvtx3/": "NVTX",
    "cupti": "CUPTI",
    "cuda_gl_interop": "OpenGL and its window",
    "cudaGL": "OpenGL and its window",
    "cuda_d3d": "Direct3D",
    "cuda_egl": "EGL",
    "nvjpeg": "nvJPEG",
    "GL/": "OpenGL and its window",
    "mpi": "MPI",
}
THRUST = "/usr/include/thrust/"  # where a distribution's package lies
MARKER = re.compile(rb'^# (\d+) "((?:[^"\\]|\\.)*)"((?: \d)*)$', re.MULTILINE)
MISSING = re.compile(
    r"^(.*?):(\d+):\d+: fatal error: (.*): No such file or directory$", re.MULTILINE
)

INCLUDED = re.compile(r"^(?:In file included|\s+) from (.*?):(\d+)(?::\d+)?[,:]$")
ERROR = re.compile(r"^(.*?):\d+:\d+: (?:fatal )?error: ")


def written(file: str, line: int) -> str:
    """Returns the name in the #include of a line; nothing where it is not found."""
    try:
        with open(file, encoding="utf-8", errors="replace") as lines:
            text = next(itertools.islice(lines, line - 1, None), "")
    except OSError:
        return ""
    found = re.search(r'include\s*[<"]([^>"]+)[>"]', text)
    return found[1] if found else ""


def sentence(file: str, line: int, header: str) -> str:
    name = written(file, line) or os.path.basename(header)
    if name.startswith("thrust/") and not os.path.exists(THRUST):
        return (
            f"{file}:{line}: error: <{name}> needs Thrust; install libthrust-dev, or run on a card"
        )
    if name.startswith("mpi"):
        return (
            f"{file}:{line}: error: <{name}> needs MPI; install libopenmpi-dev and compile with "
            "-ccbin mpicxx"
        )
    needed = next((what for start, what in NEEDS.items() if name.startswith(start)), "")
    asks = f"needs {needed}" if needed else "is of the CUDA toolkit"
    return (
        f"{file}:{line}: error: <{name}> {asks}, which the simulated device lacks; "
        "take out what uses it, or run on a card"
    )


def missing(said: str, own: str) -> Optional[str]:
    """Returns a sentence instead of the preprocessor's about a header of CUDA's that it does
    not find, or that belongs to a toolkit and is refused there."""
    place: Optional[re.Match[str]] = None
    for line in said.splitlines():
        place = INCLUDED.match(line) or place
        error = ERROR.match(line)
        if error and place and is_toolkits(os.path.realpath(error[1]), own):
            return sentence(place[1], int(place[2]), error[1])
    found = MISSING.search(said)
    if found and (OF_TOOLKIT.fullmatch(found[3]) or found[3].startswith(tuple(NEEDS))):
        return sentence(found[1], int(found[2]), found[3])
    if found:
        source = " of NVIDIA's samples" if found[3].startswith("helper_") else ""
        return (
            f"{found[1]}:{found[2]}: error: {found[3]}{source} is not there; put it beside the "
            "program, or name its folder with -I"
        )
    return None


def is_toolkits(path: str, own: str) -> bool:
    """Tells whether a header that is installed on this machine is for a toolkit's compiler."""
    if not OF_TOOLKIT.fullmatch(path) or path.startswith(own):
        return False
    if path.startswith((f"{THRUST}system/cuda/", "/usr/include/cub/")):
        return True
    if path.startswith(THRUST):
        return False
    folder = os.path.dirname(path)
    for _ in range(5):
        if os.path.exists(os.path.join(folder, "cuda_runtime_api.h")):
            return True
        folder = os.path.dirname(folder)
    return False


def leaked(text: bytes, own: str) -> Optional[str]:
    """Returns a sentence about the first header of a toolkit in what the preprocessor wrote."""
    file, line, behind = "", 1, 0
    for marker in MARKER.finditer(text):
        line += text.count(b"\n", behind, marker.start())
        entered = os.fsdecode(marker[2])
        if b" 1" in marker[3] and is_toolkits(os.path.realpath(entered), own):
            return sentence(file, line, entered)
        file, line, behind = entered, int(marker[1]), marker.end() + 1
    return None


def among(file: str, listed: list[str], own: str) -> Optional[str]:
    """Returns a sentence about the first header of a toolkit among those that a file includes."""
    for path in listed:
        if is_toolkits(os.path.realpath(path), own):
            name = os.path.basename(path)
            return sentence(file, line_that_includes(file, name), name)
    return None


def line_that_includes(file: str, name: str) -> int:
    """Returns the line whose #include names a header; 1 where a header of the file's own does."""
    with open(file, encoding="utf-8", errors="replace") as lines:
        for number, text in enumerate(lines, 1):
            if re.match(r"\s*#\s*include", text) and name in text:
                return number
    return 1


def ask_for(word: bytes, text: bytes, own: str) -> bool:
    """Tells whether a file of the program's own, of those that the preprocessor read, has a word."""
    markers = list(MARKER.finditer(text))
    # A macro's tokens bear the mark of the file that defines it.
    of_system = {marker[2] for marker in markers if marker[3].startswith(b" 1 3")}
    for name in {marker[2] for marker in markers} - of_system:
        path = os.fsdecode(name.replace(b'\\"', b'"').replace(b"\\\\", b"\\"))
        if path.startswith(("<", own)):
            continue
        try:
            with open(path, "rb") as file:
                if word in file.read():
                    return True
        except OSError:
            pass  # a name that a #line gives
    return False
