"""Feeds changed archives and result files to the grader's readers of them.

FUZZ=10000000 makes as many inputs of each, which takes 40 minutes of a core; without it a few
seconds' worth.
"""

import gzip
import io
import json
import lzma
import multiprocessing
import os
import pathlib
import random
import resource
import signal
import tarfile
import time
import zipfile
from concurrent.futures import ProcessPoolExecutor
from typing import Callable, Iterator

import model
import pytest
from reader import archives
from reader.tree import Unreadable

pytestmark = [pytest.mark.seconds(20), pytest.mark.full]
INPUTS = int(os.environ.get("FUZZ") or 8_000)
BATCH = 1_000
# Limits for reading one of these inputs: each has some kilobytes.
MOST_SECONDS, MOST_MEMORY = 2, 1 << 30
WORDS = b'null true -1 1e999 NaN "" [] {} [[ {"a": : , } ] \xff \\ud800 00 PK \x00 ../ 777'.split()
FILES = {
    "lab1_naive/kernel.cu": b"__global__ void kernel() {}\n" * 20,
    "lab1_naive/answers.h": b"int answer = 42;\n" * 20,
    f"{'deep/' * 30}notes.txt": b"a long name\n",
    "../outside.cu": b"1\n",
}


def changed(data: bytes, draw: random.Random) -> bytes:
    for _ in range(draw.randint(1, 4)):
        at = draw.randrange(len(data) + 1)
        end = min(len(data), at + draw.choice((0, 0, 1, 2, 8, 512)))
        data = data[:at] + draw.choice((*WORDS, bytes([draw.randrange(256)]), b"")) + data[end:]
    return data


def packed(form: int | None) -> bytes:
    """Returns an archive: a tar of this form, or a zip."""
    out = io.BytesIO()
    if form is None:
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as zipped:
            for name, data in FILES.items():
                zipped.writestr(name, data)
        return out.getvalue()
    with tarfile.open(fileobj=out, mode="w", format=form) as tar:
        for name, data in FILES.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
    return out.getvalue()


def summed(tar: bytes, draw: random.Random) -> bytes:
    """Writes the right checksums into the headers, so that a changed archive is read."""
    blocks = bytearray(tar)
    for at in range(0, len(blocks) - 511, 512):
        if draw.random() < 0.9 and blocks[at + 257 : at + 262] == b"ustar":
            blocks[at + 148 : at + 156] = b" " * 8
            blocks[at + 148 : at + 156] = b"%06o\0 " % sum(blocks[at : at + 512])
    return bytes(blocks)


FORMS = [packed(form) for form in (None, tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT)]
FORMS.append(packed(tarfile.PAX_FORMAT))
COMPRESSIONS: list[Callable[[bytes], bytes]] = [
    lambda tar: gzip.compress(tar, 1),
    lambda tar: lzma.compress(tar, preset=0),
]


def archive(draw: random.Random) -> bytes:
    data = draw.choice(FORMS)
    if data[:2] == b"PK":
        return changed(data, draw)
    data = summed(changed(data, draw), draw)
    if draw.random() < 0.05:  # packing would take most of the time
        data = draw.choice(COMPRESSIONS)(data)
        data = changed(data, draw) if draw.random() < 0.5 else data
    return data


def reads_an_archive(draw: random.Random) -> bool:
    try:
        tree = archives.read(io.BytesIO(archive(draw)))
    except Unreadable:
        return False
    assert not any(name.startswith("/") or ".." in name.split("/") for name in tree.files)
    return True


def right_result() -> dict:
    test = dict(test="a", status="passed", points=2, score=2, hidden=False, todo=1)
    test.update(findings=["race"], explanation="so")
    part = dict(part="kernel", file="kernel.cu", state="graded", reason="", score=2, max_score=2)
    part["tests"] = [test]
    return model.student_result("ada", [model.lab_result("lab1_naive", [part])], 1.5, ["a remark"])


RIGHT = json.dumps(right_result(), indent=1).encode()


def reads_a_result(draw: random.Random) -> bool:
    memory = os.memfd_create("result")
    path = f"/proc/self/fd/{memory}"
    try:
        os.write(memory, changed(RIGHT, draw))
        model.check(model.read(path))
    except model.ModelError as error:
        assert path in str(error)
        return False
    finally:
        os.close(memory)
    return True


def batch(work: tuple[Callable, int, int]) -> int:
    """Returns how many of a batch's inputs were read; raises if one exceeds the limits."""
    reads, number, count = work
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, resource.RLIM_INFINITY))
    accepted = 0
    for one in range(count):
        draw = random.Random(number * BATCH + one)
        began = time.process_time()
        signal.alarm(60)  # ends a process that hangs; the pool then raises
        accepted += reads(draw)
        took = time.process_time() - began
        assert took < MOST_SECONDS, f"input {number * BATCH + one} takes {took:.1f} s"
    signal.alarm(0)
    return accepted


def batches(reads: Callable) -> Iterator[tuple]:
    for number in range(-(-INPUTS // BATCH)):
        yield reads, number, min(BATCH, INPUTS - number * BATCH)


@pytest.mark.parametrize("reads", [reads_an_archive, reads_a_result])
def test_changed_files_of_a_class_are_read_or_refused(reads: Callable) -> None:
    with ProcessPoolExecutor(mp_context=multiprocessing.get_context("fork")) as pool:
        accepted = sum(pool.map(batch, batches(reads)))
    assert 0.01 * INPUTS < accepted < INPUTS


DEEP = {
    "brackets": b"[" * 1_000_000,
    "objects": b'{"a":' * 1_000_000,
    "digits": b"9" * 1_000_000,
    "blanks": b" " * (20 << 20) + b"{}",
}


@pytest.mark.parametrize("kind", DEEP)
def test_a_deep_or_long_result_is_refused(kind: str, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "result.json"
    path.write_bytes(DEEP[kind])
    with pytest.raises(model.ModelError):
        model.read(path)
