"""Makes wrong files from a right one: mutants, each with a small change like a typical mistake."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from cuda_tokens import TYPES, File, Statement, walk
from slips import ALIKE, FIGURES, OTHER_NAMES, OTHER_SIGNS, OTHER_TYPES

ASKING = ("cudaGetLastError", "cudaDeviceSynchronize")  # calling it twice changes nothing
PLACES = ("float*", "int*", "cudaStream_t")
ASIDE = ("typedef", "printf", "fprintf")
SETTERS = ("if", "for", "while")  # words before parentheses that contain no arguments


@dataclass(frozen=True)
class Mutant:
    line: int
    column: int
    what: str
    function: str
    key: str  # the function, and the statement with the change in braces: lines may move
    text: str  # of the whole file


@dataclass(frozen=True)
class Edit:
    """The tokens from `first` to `last`, and their replacement."""

    first: int
    last: int
    new: str


def short(text: str) -> str:
    return " ".join(text.split())


class Mutator(File):
    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.alike = [group.split() for group in re.split(r"[|\n]", ALIKE.strip())]
        self.keys: dict[str, int] = {}

    def mutants(self) -> Iterator[Mutant]:
        seen = {self.text}
        for function in self.top:
            self.names = self.declared(function) | dict.fromkeys(self.macros, "int")
            for siblings, place in walk([function]):
                one = siblings[place]
                if self[one.first] in ASIDE:
                    continue
                for made in self.of_tokens(one), self.of_statement(siblings, place):
                    for mutant in made:
                        if mutant.text not in seen:
                            seen.add(mutant.text)
                            yield mutant

    def mutant(self, one: Statement, what: str, edits: Iterable[Edit], key: str = "") -> Mutant:
        edits = sorted(edits, key=lambda edit: edit.first)
        at, text, marked, begin = 0, "", "", self.tokens[one.first].begin
        for edit in edits:
            first, last = self.tokens[edit.first], self.tokens[edit.last]
            old = self.text[first.begin : last.end]
            text += self.text[at : first.begin] + edit.new
            marked += self.text[max(at, begin) : first.begin] + f"{{{old} -> {edit.new}}}"
            at = last.end
        # Lines keep their numbers.
        text += "\n" * (self.text[:at].count("\n") - text.count("\n")) + self.text[at:]
        end = self.tokens[one.head].end
        marked += self.text[at:end]
        key = short(f"{one.function}: {key or marked}")
        self.keys[key] = self.keys.get(key, 0) + 1
        if self.keys[key] > 1:
            key += f" #{self.keys[key]}"
        above = self.text[: self.tokens[edits[0].first].begin]
        column = len(above) - above.rfind("\n")
        return Mutant(above.count("\n") + 1, column, what, one.function, key, text)

    # Changes of one token, or of a few within a statement.

    def of_tokens(self, one: Statement) -> Iterator[Mutant]:
        if one.kind == "block":
            return
        last = one.head
        for at in range(one.first, last + 1):
            for edit in self.edits_at(one, at):
                old = short(self.source(edit.first, edit.last))
                what = f"{old} to {edit.new}" if edit.new else f"without {old}"
                if self[at - 1] == "." and self.tokens[at].kind == "name":
                    what = f".{old} to .{edit.new}"
                yield self.mutant(one, what, [edit])
        for what, *edits in self.exchanges(one):
            yield self.mutant(one, what, edits)

    def edits_at(self, one: Statement, at: int) -> Iterator[Edit]:
        token, word = self.tokens[at], self[at]
        if token.kind == "sign":
            yield from self.of_sign(one, at)
        elif token.kind == "number":
            for new in numbers_near(word):
                yield Edit(at, at, new)
        elif token.kind == "name":
            yield from self.of_name(one, at)
        if word == "(":
            yield from self.of_brackets(at)

    def is_binary(self, at: int) -> bool:
        """Tells whether a sign has operands on both sides, and is no part of a type."""
        before, after = self.tokens[at - 1], self[at + 1]
        operand = before.kind in ("name", "number") or before.text in (")", "]")
        return operand and before.text not in (*TYPES, "return") and after not in (")", ">", ",")

    def of_sign(self, one: Statement, at: int) -> Iterator[Edit]:
        word = self[at]
        cast = word in "<>" and re.search(r"_cast<[^;]{,20}$", self.text[: self.tokens[at].end])
        if word in ("++", "--") or (word in OTHER_SIGNS and self.is_binary(at) and not cast):
            for new in OTHER_SIGNS[word].split():
                if new not in "<>" or one.kind != "for":  # then the loop does not begin
                    yield Edit(at, at, new)
            if word in ("<", "<=", ">", ">=") and not self[at + 1].isdigit():
                yield Edit(at, at, f"{word} -1 +")
        elif word == "!":
            yield Edit(at, at, "")
        elif word == "=" and self[at + 1] != "{" and self.tokens[at - 1].kind == "name":
            end = self.end_of(at, ";", ",", ")")
            if self[end] == ";" and self[at - 2] in TYPES:
                yield Edit(at, end - 1, "")  # not initialized
        elif word == "=" and self[at + 1] == "{":
            yield Edit(at, self.close[at + 1], "")

    def of_name(self, one: Statement, at: int) -> Iterator[Edit]:
        word, pointer = self[at], self[at - 1] == "*" and self[at - 2] in (*TYPES, ",")
        declares = pointer or self[at - 1] in TYPES
        if word in OTHER_NAMES and (self[at - 1] == "." or word not in "xyzw"):
            for new in OTHER_NAMES[word].split():
                yield Edit(at, at, new)
            if word in FIGURES:
                yield Edit(at - 2, at, FIGURES[word])
        elif word in OTHER_TYPES and self[at + 1] not in ("*", "&") and one.function != word:
            for new in OTHER_TYPES[word].split():
                in_brackets = {
                    "<": "char",
                    "(": "int",
                }  # of a cast, or of sizeof of the same size
                if new != in_brackets.get(self[at - 1]):
                    yield Edit(at, at, new)
        elif word in ("__shared__", "extern", "__device__"):
            yield Edit(at, at, "")
        elif word == "__align__":
            yield Edit(at, self.close[at + 1], "")
        elif word == "CHECK" and self[at + 1] == "(":
            yield Edit(at, self.close[at + 1], self.source(at + 2, self.close[at + 1] - 1))
        elif self[at - 1] in (".", "::") or self[at + 1] in ("(", "<<<") or declares:
            return
        else:
            for new in self.others(word):
                if new != self.target(one)[0] or self.target(one)[1]:  # else it has no value yet
                    yield Edit(at, at, new)
            if (
                self.names.get(word) == "size_t"
                and self[at + 1] in (",", ")")
                and self[at - 1] == ","
            ):
                yield Edit(at, at, f"{word} - 4")
                yield Edit(at, at, f"{word} + 4")

    def others(self, word: str) -> list[str]:
        """Returns the names that may be confused with this one; if there are none, one of its
        type."""
        there, found = [name for name in self.names if name != word], []
        for group in self.alike:
            if word in group:
                begin = group.index(word) + 1
                found += [name for name in group[begin:] + group if name in there][:1]
        if found or word not in self.names:
            return list(dict.fromkeys(found))
        same = [name for name in there if self.names[name] == self.names[word]]
        place = list(self.names).index(word)
        near = sorted(same, key=lambda name: abs(list(self.names).index(name) - place))
        return [name for name in near if name not in self.macros][:1]

    def of_brackets(self, at: int) -> Iterator[Edit]:
        """Yields the content of brackets without them, and the changes of a condition."""
        end, before = self.close[at], self.tokens[at - 1]
        inside = self.source(at + 1, end - 1) if end > at + 1 else ""
        signs = {self[n] for n in range(at + 1, end)}
        if before.kind == "sign" and before.text != ">" and signs & {"+", "-"}:
            yield Edit(at, end, inside)
        if before.text == "if":
            yield Edit(at + 1, end - 1, "true")

    def arguments(self, at: int, closing: int) -> list[tuple[int, int]]:
        """Returns the first and the last token of each argument between two brackets."""
        found, first = [], at + 1
        while first < closing:
            end = min(self.end_of(first, ",", self[closing]), closing)
            found.append((first, end - 1))
            first = end + 1
        return found

    def exchanges(self, one: Statement) -> Iterator[tuple]:
        """Yields changes of operands and arguments: a word for each, and its edits."""
        for at in range(one.first, one.head + 1):
            word = self[at]
            called = word == "(" and self.tokens[at - 1].kind == "name"
            if called and self[at - 1] not in SETTERS and one.kind != "function" or word == "<<<":
                yield from self.of_arguments(at)
            elif word == "[" and self[self.close[at] + 1] == "[":
                second = self.close[at] + 1
                yield self.swap((at, self.close[at]), (second, self.close[second]))
            elif word == "?":
                colon = self.end_of(at + 1, ":")
                end = min(self.end_of(colon, ";", ",", ")"), one.head)
                yield self.swap((at + 1, colon - 1), (colon + 1, end - 1))
            elif word in ("&&", "||"):
                for first, last in self.operands(one, at):
                    edit = Edit(first, last, "true" if word == "&&" else "false")
                    yield f"without {short(self.source(first, last))}", edit

    def operands(self, one: Statement, at: int) -> list[tuple[int, int]]:
        ends = ("&&", "||", "?", ";", ")", ",")
        first, opening = at - 1, {close: begin for begin, close in self.close.items()}
        while self[first - 1] not in (*ends, "=", "(", "return"):
            first = opening.get(first - 1, first - 1)
        return [(first, at - 1), (at + 1, self.end_of(at + 1, *ends) - 1)]

    def of_arguments(self, at: int) -> Iterator[tuple]:
        among, dim3 = self.arguments(at, self.close[at]), "dim3" in (self[at - 1], self[at - 2])
        for first, second in zip(among, among[1:]):
            if self.is_pointer(*first) == self.is_pointer(*second):
                yield self.swap(first, second)
        for start, last in among if dim3 or self[at] == "<<<" else []:
            old = self.source(start, last)
            dimensions = "dim3" in old or self.names.get(old) == "dim3"
            for new in ("1",) if dimensions else (f"{old} + 1", f"{old} - 1"):
                if not old.isdigit() and self.names.get(old) != "cudaStream_t":
                    yield f"{short(old)} to {new}", Edit(start, last, new)
        if self[at] == "<<<" and len(among) > 2:
            yield "without the shared bytes", Edit(*among[2], "0")
        if self[at] == "<<<" and len(among) > 3:
            yield "without the stream", Edit(*among[3], "0")

    def is_pointer(self, first: int, last: int) -> bool:
        return self[first] == "&" or (first == last and "*" in self.names.get(self[first], ""))

    def swap(self, first: tuple[int, int], second: tuple[int, int]) -> tuple:
        one, other = self.source(*first), self.source(*second)
        what = f"{short(one)} swapped with {short(other)}"
        return what, Edit(*first, other), Edit(*second, one)

    # Changes of whole statements.

    def head_of(self, one: Statement) -> str:
        return self.source(one.first, one.head) + (" ..." if one.inner else "")

    def of_statement(self, siblings: list[Statement], place: int) -> Iterator[Mutant]:
        one = siblings[place]
        if one.kind in ("function", "block") or not one.function:
            return
        head, barrier = self.head_of(one), "__syncthreads" in self[one.first]
        whole, source = (one.first, one.last), self.source(one.first, one.last)
        if self.target(one)[1]:  # else a declaration: without it nothing compiles
            yield self.mutant(one, "deleted", [Edit(*whole, ";")], f"delete {head}")
        repeated = one.kind == "simple" and self.target(one)[1]
        if repeated and self[one.first] != "return" and self[one.first + 2] not in ASKING:
            yield self.mutant(
                one, "doubled", [Edit(*whole, f"{source} {short(source)}")], f"double {head}"
            )
        if barrier:
            for rest in "", " else __syncthreads();":
                branch = f"if (threadIdx.x > 0) __syncthreads();{rest}"
                yield self.mutant(one, f"in a branch{rest[:5]}", [Edit(*whole, branch)])
        if one.kind == "if":
            condition = self.source(one.first + 2, one.head - 1)
            edit = Edit(one.first + 2, one.head - 1, f"!({condition})")
            yield self.mutant(one, "negated", [edit], f"negate {head}")
        if place + 1 == len(siblings) or self[one.last + 1] == "else":
            return
        after = siblings[place + 1]
        if self.order_matters(one, after):
            edits = [Edit(*whole, self.source(after.first, after.last))]
            edits.append(Edit(after.first, after.last, source))
            exchanged = f"swap {head} | {self.head_of(after)}"
            yield self.mutant(one, "swapped with the next statement", edits, exchanged)
        yield from self.moves(one, after, barrier)

    def target(self, one: Statement) -> tuple[str, bool]:
        """Returns the name that a statement changes, and whether it only changes it."""
        first = one.first + (self[one.first] in ("extern", "__shared__", "const"))
        declares = self[first] in TYPES or first != one.first
        while self[first] in (*TYPES, "*", "++", "--", "__shared__"):
            first += 1
        return self[first], not declares

    def order_matters(self, one: Statement, after: Statement) -> bool:
        """Tells whether another order of two statements compiles, and may be another program."""
        (name, changes), (later, _) = self.target(one), self.target(after)
        first = {self[at] for at in range(one.first, one.last + 1)}
        second = {self[at] for at in range(after.first, after.last + 1)}
        if not changes and name in second:
            return False
        shared = {word for word in first & second if self.names.get(word) in PLACES}
        ordered = {"<<<", "cudaGetLastError", "__syncthreads"} & (first | second)
        if "CHECK" in first and "CHECK" in second:
            return bool(shared or ordered)
        return bool("__syncthreads" in first | second) or name in second or later in first

    def moves(self, one: Statement, after: Statement, barrier: bool) -> Iterator[Mutant]:
        """Yields the changes that move a statement into the loop beside it, or out of it."""
        loops = ("for", "while")
        if one.kind in loops and one.inner[0].kind == "block":
            end, moved = one.last, self.source(after.first, after.last)
            edits = [Edit(end, end, f"{moved} }}"), Edit(after.first, after.last, ";")]
            key = f"move {self.head_of(after)} into {self.head_of(one)}"
            yield self.mutant(one, "the next statement in the loop", edits, key)
            last = one.inner[0].inner[-1]
            out = [Edit(last.first, last.last, ";")]
            out.append(Edit(end, end, "} " + self.source(last.first, last.last)))
            key = f"move {self.head_of(last)} out of {self.head_of(one)}"
            yield self.mutant(one, "its last statement after the loop", out, key)
        elif barrier and after.kind in loops and after.inner[0].kind == "block":
            begin = after.inner[0].first
            edits = [Edit(one.first, one.last, ";"), Edit(begin, begin, "{ __syncthreads();")]
            key = f"move {self.head_of(one)} into {self.head_of(after)}"
            yield self.mutant(one, "in the loop after it", edits, key)


def numbers_near(word: str) -> list[str]:
    """Returns the numbers that a mistake may write instead of this one."""
    if re.fullmatch(r"\d+", word):
        return [str(int(word) + 1), str(int(word) - 1)]
    if re.fullmatch(r"[\d.]+f", word):
        return ["1.0f" if float(word[:-1]) == 0 else "0.0f"]
    return []
