"""Feeds changed files to the readers of matrices, of records and of results, with sanitizers.

FUZZ=10000000 makes as many inputs, which takes minutes; without it a few seconds' worth.
"""

import io
import os
import pathlib
import random
import struct
import subprocess
from typing import Iterator

import model
import pytest
from shown_commands import ROOT

pytestmark = pytest.mark.seconds(60)
INPUTS = int(os.environ.get("FUZZ") or 100_000)
OUT = ROOT / "build/check/fuzz"
SOURCES = """verdict/fuzz/*.cpp matrix/npy_format.cpp matrix/raw_format.cpp matrix/matrix.cpp
    matrix/format.cpp matrix/file_io.cpp verdict/record/record_file.cpp verdict/record/report_format.cpp
    verdict/record/own_words.cpp simulator/findings/own_files.cpp"""
FLAGS = """-std=c++17 -O0 -g1 -Icommon -I. -Icommon/simulator/include -fno-sanitize-recover=all
    -fsanitize=address,undefined"""
# No input is larger than some kilobytes.
LIMITS = "max_allocation_size_mb=64:hard_rss_limit_mb=1024:detect_leaks=0"


def sources() -> list[str]:
    found = [sorted((ROOT / "common").glob(pattern)) for pattern in SOURCES.split()]
    return [str(path.relative_to(ROOT)) for paths in found for path in paths]


@pytest.fixture(scope="module", name="fuzzed")
def run_the_fuzzer() -> subprocess.CompletedProcess:
    OUT.mkdir(parents=True, exist_ok=True)
    program, seeds = OUT / "fuzz_readers", sorted(ROOT.glob("datasets/libwb/*/*.raw"))
    command = [os.environ.get("CXX", "g++"), *FLAGS.split(), *sources(), "-o", str(program)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    return subprocess.run(
        [program, str(INPUTS), "1", "sample", *seeds],
        cwd=OUT,
        env={**os.environ, "ASAN_OPTIONS": LIMITS},
        capture_output=True,
        text=True,
    )


def test_changed_matrices_and_records_are_read_or_refused(fuzzed) -> None:
    assert fuzzed.returncode == 0, fuzzed.stderr[-3000:]
    lines = [line.replace(":", "").split() for line in fuzzed.stdout.splitlines()]
    assert sum(int(line[1]) for line in lines) == INPUTS
    for name, inputs, _, accepted, _ in lines:
        assert 0 < int(accepted) < int(inputs), name


def sampled() -> Iterator[tuple[bytes, bytes]]:
    """Yields .npy files, and what was read of them in the same form; b"" where they are refused."""
    data = (OUT / "sample").read_bytes()
    at, pieces = 0, []
    while at < len(data):
        (size,) = struct.unpack_from("=I", data, at)
        pieces.append(data[at + 4 : at + 4 + size])
        at += 4 + size
    return zip(pieces[::2], pieces[1::2])


def test_what_numpy_reads_too_is_read_the_same(fuzzed) -> None:
    numpy = pytest.importorskip("numpy")
    both = 0
    for given, read in sampled():
        if not read:
            continue
        try:
            theirs = numpy.load(io.BytesIO(given), allow_pickle=False)
        except Exception:  # NumPy refuses by errors of many kinds
            continue
        ours = numpy.load(io.BytesIO(read))
        assert theirs.astype("<f4").reshape(ours.shape).tobytes() == ours.tobytes(), given
        assert theirs.shape in (ours.shape, ours.shape[:1]), given
        both += 1
    assert both > 1000


def changed(text: bytes, draw: random.Random) -> bytes:
    """Returns a result file with some changes."""
    words = b'null true -1 1e999 NaN "" [] {} [[ {"a": : , } ] \xff \\ud800 00'.split()
    for _ in range(draw.randint(1, 4)):
        at = draw.randrange(len(text) + 1)
        end = min(len(text), at + draw.choice((0, 0, 1, 2, 8)))
        text = text[:at] + draw.choice((*words, bytes([draw.randrange(256)]), b"")) + text[end:]
    return text


def right_result() -> dict:
    test = dict(test="a", status="passed", points=2, score=2, hidden=False, todo=1)
    test.update(findings=["race"], explanation="so")
    part = dict(part="kernel", file="kernel.cu", state="graded", reason="", score=2, max_score=2)
    part["tests"] = [test]
    return model.student_result("ada", [model.lab_result("lab1_naive", [part])], 1.5, ["a remark"])


def test_changed_results_are_read_or_refused(tmp_path: pathlib.Path) -> None:
    path, draw, accepted = tmp_path / "result.json", random.Random(1), 0
    model.write(path, right_result())
    right = path.read_bytes()
    for _ in range(max(5000, INPUTS // 1000)):
        path.write_bytes(changed(right, draw))
        try:
            model.check(model.read(path))
            accepted += 1
        except model.ModelError as error:
            assert str(path) in str(error)
    assert accepted > 100


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
