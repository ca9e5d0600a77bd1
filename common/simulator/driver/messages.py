"""Says in one line each what the simulated device lacks, where the compiler takes many for it."""

import re

# g++ and clang about a function or a type that include/cusim/unsupported.h declares.
LACKING = re.compile(
    r"^(.*?:\d+):\d+: error: (?:call to .* declared with attribute error: |.* is unavailable: )"
    r"(.*simulated device.*)$"
)
# A header that stands for one of the toolkit's.
INCLUDED = re.compile(r"^(?:In file included|\s+) from (.*?:\d+)(?::\d+)?[,:]$")
NO_HEADER = re.compile(r'^(.*?):\d+:\d+: error: #error "(.*simulated device.*)"$')
CONTEXT = re.compile(r"^(.*?:\d+):\d+:\s+(?:required from here|required from .*)$")


def lacking(said: str, headers: str) -> list[str]:
    """Returns a line for each thing that is missing, with the user's file and line."""
    found: dict[str, None] = {}
    place = ""
    for line in said.splitlines():
        context = INCLUDED.match(line) or CONTEXT.match(line)
        if context and not context[1].startswith(headers):
            place = context[1]
        if header := NO_HEADER.match(line):
            found[f"{place or header[1]}: error: {header[2]}"] = None
        elif one := LACKING.match(line):
            where = place if one[1].startswith(headers) else one[1]
            found[f"{where}: error: {one[2]}"] = None
    return list(found)


def shortened(said: str, headers: str) -> str:
    """Returns what a compiler said; only the sentences about what is missing where it has some, as
    the rest follows from that."""
    sentences = lacking(said, headers)
    return "".join(f"{sentence}\n" for sentence in sentences) if sentences else said
