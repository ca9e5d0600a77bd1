"""Submissions that cannot be read, or only in part."""

import lzma
import os
import pathlib
import tarfile
import warnings
import zipfile

SOLUTION = "solutions/lab1_naive/kernel.cu"


def solution():
    return pathlib.Path(SOLUTION).read_bytes()


def handing_in(make, end="/lab1_naive/kernel.cu", rule="none"):
    """Returns what lets make(path) write NAME with this end; it returns the entry and its rule."""

    def way(folder, name):
        path = os.path.join(folder, name + end)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        make(path)
        return name + end.partition("/")[0], rule

    return way


def holding(data):
    """Returns what writes a file that holds data(the solution)."""

    return lambda path: pathlib.Path(path).write_bytes(data(solution()))


def cut_archive(path):
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("lab1_naive/kernel.cu", solution())
    os.truncate(path, os.path.getsize(path) // 2)


def zip_bomb(path):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("lab1_naive/kernel.cu", bytes(300 << 20))


def header_bomb(path):
    header = tarfile.TarInfo("name")
    header.type, header.size = tarfile.XHDTYPE, 64 << 20
    data = header.tobuf() + bytes(64 << 20)
    pathlib.Path(path).write_bytes(lzma.compress(data, preset=0))


def twice_in_a_zip(path):
    with zipfile.ZipFile(path, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        archive.writestr("lab1_naive/kernel.cu", solution())
        archive.writestr("lab1_naive/kernel.cu", solution() + b"\n// other\n")


def sparse_file(path):
    holding(bytes)(path)
    os.truncate(path, 2 << 30)


def no_permission(folder, name):
    entry, rule = handing_in(holding(bytes))(folder, name)
    path = os.path.join(folder, name, "lab1_naive/kernel.cu")
    os.chmod(path, 0)
    # Root can read it.
    return entry, "direct" if os.access(path, os.R_OK) else rule


def two_kernels(folder, name):
    handing_in(holding(bytes), "/a/lab1_naive/kernel.cu")(folder, name)
    other = holding(lambda text: text + b"\n// other\n")
    return handing_in(other, "/b/lab1_naive/kernel.cu")(folder, name)


WAYS = (
    handing_in(zip_bomb, ".zip"),
    handing_in(holding(lambda _: b"\x1f\x8b\x08\0 and nothing that follows"), ".tar.gz"),
    handing_in(os.mkdir, ""),
    handing_in(holding(lambda _: b""), ".zip"),
    handing_in(cut_archive, ".zip"),
    handing_in(holding(bytes), ".cu"),
    handing_in(lambda path: os.symlink("nowhere", path), ""),
    handing_in(lambda path: os.symlink(os.path.abspath(SOLUTION), path)),
    handing_in(os.mkfifo),  # on which open() would wait for a writer
    handing_in(holding(bytes), "/lab1_naive/kernel.cu/kernel.cu"),
    handing_in(sparse_file),
    no_permission,
    two_kernels,
    handing_in(holding(lambda text: text + "\n// Größe\n".encode("latin-1")), rule="direct"),
    handing_in(holding(lambda text: text.decode().encode("utf-16")), rule="direct"),
    handing_in(holding(lambda _: bytes(1000))),
    handing_in(holding(lambda _: b"")),
    handing_in(holding(lambda text: text[:900])),
    handing_in(header_bomb, ".tar.xz"),
    handing_in(twice_in_a_zip, ".zip"),
    handing_in(holding(bytes), "/lab1_naive/kernel (1).cu"),
    handing_in(holding(lambda text: b"// " + b"1" * (1 << 19) + b"\n" + text), rule="direct"),
)
