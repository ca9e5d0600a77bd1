"""Submissions that cannot be read, or only in part."""

import os
import zipfile

SOLUTION = "solutions/lab1_naive/kernel.cu"


def solution():
    with open(SOLUTION, "rb") as file:
        return file.read()


def file_at(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as out:
        out.write(data)


def kernel(folder, name):
    return os.path.join(folder, name, "lab1_naive", "kernel.cu")


def empty_folder(folder, name):
    os.makedirs(os.path.join(folder, name))
    return name, "none"


def empty_archive(folder, name):
    file_at(os.path.join(folder, name + ".zip"), b"")
    return name + ".zip", "none"


def broken_archive(folder, name):
    file_at(os.path.join(folder, name + ".tar.gz"), b"\x1f\x8b\x08\0 and nothing that follows")
    return name + ".tar.gz", "none"


def cut_archive(folder, name):
    path = os.path.join(folder, name + ".zip")
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("lab1_naive/kernel.cu", solution())
    os.truncate(path, os.path.getsize(path) // 2)
    return name + ".zip", "none"


def zip_bomb(folder, name):
    path = os.path.join(folder, name + ".zip")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        with archive.open("lab1_naive/kernel.cu", "w") as out:
            for _ in range(300):
                out.write(bytes(1 << 20))
    return name + ".zip", "none"


def not_an_archive(folder, name):
    file_at(os.path.join(folder, name + ".cu"), solution())
    return name + ".cu", "none"


def dangling_link(folder, name):
    os.symlink("nowhere", os.path.join(folder, name))
    return name, "none"


def link_to_the_solution(folder, name):
    path = kernel(folder, name)
    os.makedirs(os.path.dirname(path))
    os.symlink(os.path.abspath(SOLUTION), path)
    return name, "none"


def pipe(folder, name):
    """Makes a pipe, on which open() would wait for a writer."""
    path = kernel(folder, name)
    os.makedirs(os.path.dirname(path))
    os.mkfifo(path)
    return name, "none"


def folder_for_a_file(folder, name):
    file_at(os.path.join(kernel(folder, name), "kernel.cu"), solution())
    return name, "none"


def sparse_file(folder, name):
    path = kernel(folder, name)
    file_at(path, solution())
    os.truncate(path, 2 << 30)
    return name, "none"


def no_permission(folder, name):
    path = kernel(folder, name)
    file_at(path, solution())
    os.chmod(path, 0)
    # Root can read it.
    return name, "direct" if os.access(path, os.R_OK) else "none"


def two_kernels(folder, name):
    file_at(os.path.join(folder, name, "a/lab1_naive/kernel.cu"), solution())
    file_at(os.path.join(folder, name, "b/lab1_naive/kernel.cu"), solution() + b"\n// other\n")
    return name, "none"


def other_encoding(folder, name):
    file_at(kernel(folder, name), solution() + "\n// Größe\n".encode("latin-1"))
    return name, "direct"


def wide_characters(folder, name):
    file_at(kernel(folder, name), solution().decode().encode("utf-16"))
    return name, "none"


def nothing_but_zeros(folder, name):
    file_at(kernel(folder, name), bytes(1000))
    return name, "none"


def empty_file(folder, name):
    file_at(kernel(folder, name), b"")
    return name, "none"


def half_a_file(folder, name):
    file_at(kernel(folder, name), solution()[:900])
    return name, "none"


WAYS = (zip_bomb, broken_archive, empty_folder, empty_archive, cut_archive, not_an_archive,
        dangling_link, link_to_the_solution, pipe, folder_for_a_file, sparse_file, no_permission,
        two_kernels, other_encoding, wide_characters, nothing_but_zeros, empty_file,
        half_a_file)  # fmt: skip
