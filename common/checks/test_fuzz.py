"""Feeds changed files to the readers of matrices and of records, with sanitizers.

FUZZ=10000000 makes as many inputs, which takes minutes; without it a few seconds' worth.
"""

import io
import os
import struct
import subprocess
from typing import Iterator

import pytest
from calls import ROOT

pytestmark = [pytest.mark.seconds(60), pytest.mark.full]
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
    """Yields .npy files, and the matrices that were read from them, in the same format; b"" if they
    are refused."""
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
        except Exception:  # NumPy refuses files with errors of many kinds
            continue
        ours = numpy.load(io.BytesIO(read))
        assert theirs.astype("<f4").reshape(ours.shape).tobytes() == ours.tobytes(), given
        assert theirs.shape in (ours.shape, ours.shape[:1]), given
        both += 1
    assert both > 1000
