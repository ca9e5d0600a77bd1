"""Writes build/compile_commands.json, from which clangd, in any editor, learns how the labs' files
are compiled. A .cu file is CUDA, with the simulated device instead of a toolkit."""

import glob
import json
import os

FILE = "build/compile_commands.json"
CXX = ["-std=c++17", "-Icommon", "-I.", "-Icommon/simulator/include"]
# The first are clang's options for host code of a CUDA file without a toolkit.
CUDA = ["-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib", "-Wno-unknown-cuda-version"]
CUDA += ["-Xclang", "-fcuda-allow-variadic-functions", "-include", "common/course/editor.h"]
# The ladder, what it is measured with, and lab4_memtypes/next are for a card.
CODE = ["lab*/*.cu", "lab*/*/*.cu", "solutions/lab*/*.cu", "solutions/[hs]*/lab*/**/*.cu"]
CODE += ["lab*/answers.h", "solutions/lab*/answers.h", "lab*/**/*.cpp", "common/**/*.cpp"]


def command(file: str) -> dict:
    language = CUDA if file.endswith(".cu") else ["-x", "c++"]
    words = ["clang++", *language, *CXX, file]
    return {"directory": os.getcwd(), "file": file, "arguments": words}


def main() -> int:
    found = sorted(file for pattern in CODE for file in glob.glob(pattern, recursive=True))
    files = [file for file in found if "/next/" not in file]
    os.makedirs(os.path.dirname(FILE), exist_ok=True)
    with open(FILE, "w", encoding="utf-8") as out:
        json.dump([command(file) for file in files], out, indent=1)
    print(f"{FILE} tells clangd how {len(files)} files are compiled.")
    print("In VS Code install the clangd extension; else: sudo apt-get install clangd.")
    return 0
