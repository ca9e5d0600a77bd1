"""Types of C++, and values as the page shows them."""

import dataclasses
import functools
import math
import struct
from collections.abc import Callable
from typing import Any

Value = int | float | str | None
# Never written: see common/simulator/memory/unset.h.
UNSET = b"\xde\xc0\xa5\x7f", b"\xde\xc0\xe5\x7f"
EXACT = 1 << 53  # the largest whole number that JavaScript represents exactly
MOST_SHOWN = 8  # elements of an array


@dataclasses.dataclass(eq=False)
class Type:
    name: str
    size: int
    kind: str  # number, pointer, reference, struct, array, enum, other
    form: str = ""  # a number's format for struct.unpack
    inner: "Type | None" = None
    members: list[tuple[str, int, "Type"]] = dataclasses.field(default_factory=list)
    extents: list[int] = dataclasses.field(default_factory=list)
    names: dict[int, str] = dataclasses.field(default_factory=dict)


# By DW_AT_encoding and size.
FORMS = {2: {1: "?"}, 4: {2: "e", 4: "f", 8: "d"}}
FORMS |= dict.fromkeys((5, 6), {1: "b", 2: "h", 4: "i", 8: "q"})
FORMS |= dict.fromkeys((7, 8, 16), {1: "B", 2: "H", 4: "I", 8: "Q"})
NUMBER = Type("float", 4, "number", "f")
WORD = Type("int", 4, "number", "i")
POINTERS = {
    "DW_TAG_pointer_type": ("pointer", " *"),
    "DW_TAG_reference_type": ("reference", " &"),
    "DW_TAG_rvalue_reference_type": ("reference", " &&"),
}
QUALIFIED = "const", "volatile", "restrict"


def name_of(die: Any) -> str:
    name = die.attributes.get("DW_AT_name")
    return name.value.decode() if name else ""


def size_of(die: Any) -> int:
    size = die.attributes.get("DW_AT_byte_size")
    return size.value if size else 0


def type_of(die: Any, known: dict[int, Type]) -> Type:
    """Returns the type that a DIE describes; None stands for void."""
    if die is None:
        return Type("void", 0, "other")
    if die.offset not in known:
        known[die.offset] = made = Type(name_of(die), size_of(die), "other")  # it may name itself
        fill(made, die, known)
    return known[die.offset]


def fill(made: Type, die: Any, known: dict[int, Type]) -> None:
    tag = die.tag
    target = die.get_DIE_from_attribute("DW_AT_type") if "DW_AT_type" in die.attributes else None
    if tag in POINTERS:
        made.kind, mark = POINTERS[tag]
        made.inner, made.size = type_of(target, known), 8
        made.name = f"{made.inner.name}{mark}".replace("* *", "**")
    elif tag == "DW_TAG_base_type":
        encoding = die.attributes["DW_AT_encoding"].value
        made.form = FORMS.get(encoding, {}).get(made.size, "")
        made.kind = "number" if made.form else "other"
    elif tag == "DW_TAG_array_type":
        made.kind, made.inner = "array", type_of(target, known)
        made.extents = [
            count(bound) for bound in die.iter_children() if bound.tag == "DW_TAG_subrange_type"
        ]
        made.size = made.inner.size * math.prod(made.extents)
        made.name = made.inner.name + "".join(f"[{extent or ''}]" for extent in made.extents)
    elif tag in ("DW_TAG_structure_type", "DW_TAG_class_type", "DW_TAG_union_type"):
        made.kind = "struct"
        for child in die.iter_children():
            if child.tag == "DW_TAG_member" and "DW_AT_data_member_location" in child.attributes:
                at = child.attributes["DW_AT_data_member_location"].value
                inner = type_of(child.get_DIE_from_attribute("DW_AT_type"), known)
                made.members.append((name_of(child), at, inner))
    elif tag == "DW_TAG_enumeration_type":
        made.kind, made.form = "enum", FORMS[5].get(made.size, "i")
        for child in die.iter_children():
            made.names[child.attributes["DW_AT_const_value"].value] = name_of(child)
    else:  # typedef, const, volatile
        inner = type_of(target, known)
        name = name_of(die)
        word = tag.removeprefix("DW_TAG_").removesuffix("_type")
        made.__dict__.update(inner.__dict__)
        if word in QUALIFIED:
            words = (inner.name, word) if inner.kind == "pointer" else (word, inner.name)
            made.name = " ".join(words)
        else:
            made.name = name or inner.name


def count(bound: Any) -> int:
    given = bound.attributes
    if "DW_AT_count" in given:
        return given["DW_AT_count"].value
    upper = given.get("DW_AT_upper_bound")
    return upper.value + 1 if upper and isinstance(upper.value, int) else 0


def shown_number(value: int | float, form: str) -> Value:
    if isinstance(value, float):
        if not math.isfinite(value):
            return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
        short = float(f"{value:.9g}") if form == "f" else value
        return int(short) if short.is_integer() and abs(short) < EXACT else short
    return value if abs(value) <= EXACT else str(value)


def unset(data: bytes) -> bool:
    return len(data) >= 4 and data[:4] in UNSET and (len(data) < 8 or data[4:8] in UNSET)


Point = Callable[[int, Type], str]
Read = Callable[[int, int], bytes | None]


@functools.lru_cache(1 << 16)
def shown_scalar(data: bytes, kind: Type) -> Value:
    """Returns a number or an enumerator."""
    if unset(data):
        return None
    if kind.form == "?":
        return {0: "false", 1: "true"}.get(data[0])
    if kind.form == "b" and 32 <= data[0] < 127:
        return repr(chr(data[0]))
    (value,) = struct.unpack(f"<{kind.form}", data)
    return kind.names.get(value) or shown_number(value, kind.form)


def shown(data: bytes, kind: Type, point: Point, read: Read) -> Value:
    """Returns a value for the page; `point` names a pointer's target, `read` returns the bytes at
    an address."""
    if kind.kind in ("number", "enum"):
        return shown_scalar(data, kind)
    if kind.kind == "pointer" and kind.inner:
        return None if unset(data) else point(int.from_bytes(data, "little"), kind.inner)
    if kind.kind == "reference" and kind.inner:
        address = int.from_bytes(data, "little")
        there = read(address, kind.inner.size)
        if there:
            return shown(there, kind.inner, point, read)
        return point(address, kind.inner).removeprefix("&")
    if kind.kind == "struct":
        parts = [
            shown(data[at : at + inner.size], inner, point, read) for _, at, inner in kind.members
        ]
        return in_braces(parts)
    if kind.kind == "array" and kind.inner:
        return shown_array(data, kind.inner, kind.extents, point, read)
    return None


def shown_array(data: bytes, inner: Type, extents: list[int], point: Point, read: Read) -> Value:
    if not extents:
        return shown(data, inner, point, read)
    size = inner.size * math.prod(extents[1:])
    starts = range(0, size * min(extents[0], MOST_SHOWN), size)
    if len(extents) == 1 and inner.kind in ("number", "enum"):
        parts = [shown_scalar(data[at : at + size], inner) for at in starts]
    else:
        parts = [
            shown_array(data[at : at + size], inner, extents[1:], point, read) for at in starts
        ]
    return in_braces(parts, extents[0] > MOST_SHOWN)


def in_braces(parts: list[Value], more: bool = False) -> str:
    words = ["?" if part is None else str(part) for part in parts]
    return f"{{{', '.join(words + ['...'] * more)}}}"
