"""Lists the functions of the runtime and the stubs that replace them.

    host_names.py OUTPUT STUBS LIBRARY

Each line is a function's symbol in the library and that of its stub, as objcopy takes them.
"""

import re
import subprocess
import sys

# c++filt shows a function's parameters there or leaves them out.
STUB = re.compile(r"host::Stub<&\(?([\w:]+).*>::call\(")


def symbols(file: str) -> dict[str, str]:
    """Returns the symbols of a file's functions, by the names of the source."""
    listed = subprocess.run(
        ["nm", "--defined-only", "--extern-only", "--format=posix", file],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    names = [line.split()[0] for line in listed.splitlines() if len(line.split()) > 1]
    text = "".join(f"{name}\n" for name in names)
    done = subprocess.run(["c++filt"], input=text, capture_output=True, text=True, check=True)
    return dict(zip(done.stdout.splitlines(), names))


def main() -> None:
    output, stubs, library = sys.argv[1:]
    functions = {name.partition("(")[0]: symbol for name, symbol in symbols(library).items()}
    lines = []
    for readable, stub in symbols(stubs).items():
        found = STUB.match(readable)
        if found:
            lines.append(f"{functions[found[1]]} {stub}\n")
    if not lines:
        sys.exit(f"{stubs}: holds no stub")
    with open(output, "w", encoding="ascii") as file:
        file.writelines(sorted(lines))


if __name__ == "__main__":
    main()
