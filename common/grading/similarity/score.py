"""Measures how much two submissions of an exercise have in common, by winnowed k-grams of tokens
(Schleimer, Wilkerson and Aiken, "Winnowing: Local Algorithms for Document Fingerprinting", 2003).

Each of an author's own names counts as the same token, so renaming hides nothing; order and
comments do not matter. The skeleton's passages are left out. Right answers to a small exercise
resemble each other, so common passages count little: one that n others share counts as 1/n.
"""

import itertools
import zlib
from collections import Counter, defaultdict
from typing import NamedTuple

from verdict.gate.source_tokens import tokens

# A copied passage of GRAM + WINDOW - 1 tokens is always found, a shorter one sometimes.
GRAM = 10
WINDOW = 6

# These names say what a program does; all others are chosen by its author.
KEPT_NAMES = frozenset(
    "__global__ __device__ __shared__ __constant__ __host__ __syncthreads extern static const "
    "constexpr template typename int float double char bool unsigned size_t void auto float4 dim3 "
    "for while do if else switch case break continue return sizeof struct reinterpret_cast "
    "static_cast threadIdx blockIdx blockDim gridDim".split()
)
# Members of threadIdx; elsewhere x may be a variable.
MEMBERS = frozenset("xyz")


def normal(token, before):
    """Returns a token's text as it is compared; before: the text of the token before."""
    if token.kind in ("string", "number"):
        return token.kind
    kept = token.text in KEPT_NAMES or token.text.startswith("cuda")
    member = before == "." and token.text in MEMBERS
    return token.text if token.kind == "sign" or kept or member else "name"


def normalized(text):
    """Returns the tokens of a text, and the words as which they are compared."""
    found = list(tokens(text))
    before = [""] + [token.text for token in found]
    return found, [normal(token, text) for token, text in zip(found, before)]


def grams(text):
    """Yields (hash, first line, last line) of each run of GRAM tokens."""
    found, words = normalized(text)
    for start in range(len(words) - GRAM + 1):
        gram = " ".join(words[start : start + GRAM]).encode()
        yield zlib.crc32(gram), found[start].line, found[start + GRAM - 1].line


def winnowed(text, given=frozenset()):
    """Returns {hash: (first line, last line)} of a file's passages that are not `given`."""
    own = [gram for gram in grams(text) if gram[0] not in given]
    chosen = {}
    for start in range(max(1, len(own) - WINDOW + 1)) if own else ():
        window = range(start, min(start + WINDOW, len(own)))
        # The least hash; of several, the rightmost.
        value, *lines = own[min(window, key=lambda at: (own[at][0], -at))]
        chosen.setdefault(value, tuple(lines))
    return chosen


def equal(texts, skeleton):
    """Returns {first student: all students} of each group of {student: text} with equal words, the
    largest first. A file with no passage of its own belongs to no group."""
    given, groups = {value for value, _, _ in grams(skeleton)}, defaultdict(list)
    for student, text in texts.items():
        if winnowed(text, given):
            groups[tuple(normalized(text)[1])].append(student)
    found = sorted(groups.values(), key=len, reverse=True)
    return {students[0]: students for students in found if len(students) > 1}


class Pair(NamedTuple):
    first: str
    second: str
    rare: float  # 0 to 100: the share of passages that both have and few others
    of_first: float  # percent of the first one's own passages that the second has
    of_second: float
    passages: list  # (lines of the first, lines of the second)


def merged(shared, one, other):
    """Joins neighbouring passages that two files share: [((first, last), (first, last))]."""
    spans = sorted((*one[value], *other[value]) for value in shared)
    joined = []
    for a, b, c, d in spans:
        if joined:
            (a0, b0), (c0, d0) = joined[-1]
            if a <= b0 + 1 and c0 <= c <= d0 + 1:
                joined[-1] = ((a0, max(b, b0)), (c0, max(d, d0)))
                continue
        joined.append(((a, b), (c, d)))
    return joined


def pairs(texts, skeleton):
    """Returns all pairs of {student: text} that share something, the most similar first."""
    given = {value for value, _, _ in grams(skeleton)}
    prints = {student: winnowed(text, given) for student, text in texts.items()}
    owners = defaultdict(list)
    for student, own in prints.items():
        for value in own:
            owners[value].append(student)
    # Only files that share something form a pair.
    common, rare = Counter(), Counter()
    for who in owners.values():
        for pair in itertools.combinations(who, 2):
            common[pair] += 1
            rare[pair] += 1 / (len(who) - 1)
    found = []
    for (first, second), count in common.items():
        one, other = prints[first], prints[second]
        score = 100 * rare[first, second] / (len(one) + len(other) - count)
        shares = 100 * count / len(one), 100 * count / len(other)
        shared = merged(one.keys() & other.keys(), one, other)
        found.append(Pair(first, second, score, *shares, shared))
    found.sort(key=lambda it: (-it.rare, -max(it.of_first, it.of_second), it.first, it.second))
    return found
