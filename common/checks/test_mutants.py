"""Checks the generator of mutants, and judges some mutants of each part, drawn by a seed;
mutants.py judges all of them."""

import io

import mutants
import pytest
from mutate import Mutator

pytestmark = pytest.mark.full

SPREAD = True  # no test depends on another one of this file
SEED, DRAWN = "276", 2  # mutants of each part

KERNEL = """#include <cuda_runtime.h>
#define TILE 4 + 4

// Comments stay: a < b.
__global__ void addKernel(const float* A, float* B, int rows, int cols) {
    int Row = blockIdx.y * TILE + threadIdx.y;
    int Col = threadIdx.x;
    if (Row < rows && Col < cols) {
        for (int k = 0; k < 2; ++k) {
            B[Row * cols + k] += (A[Col] + 1.0f) * 2.0f;
        }
        __syncthreads();
    }
}

void add(const float* A, float* B, int rows, int cols, size_t bytes) {
    CHECK(cudaMemcpy(B, A, bytes, cudaMemcpyHostToDevice));
    addKernel<<<dim3(rows, cols), 16>>>(A, B, rows, cols);
    printf("%d < %d", rows + 1, cols);
}
"""


MADE = list(Mutator(KERNEL).mutants())


@pytest.mark.parametrize(
    "number, text",
    [
        (6, "int Row = blockIdx.y + TILE + threadIdx.y;"),
        (6, "int Row = blockIdx.x * TILE + threadIdx.y;"),
        (6, "char Row = blockIdx.y * TILE + threadIdx.y;"),
        (8, "if (Row <= rows && Col < cols) {"),
        (8, "if (Row < -1 + rows && Col < cols) {"),
        (8, "if (Row < rows || Col < cols) {"),
        (8, "if (true && Col < cols) {"),
        (8, "if (true) {"),
        (8, "if (!(Row < rows && Col < cols)) {"),
        (9, "for (int k = 1; k < 2; ++k) {"),
        (10, "B[Col * cols + k] += (A[Col] + 1.0f) * 2.0f;"),
        (10, "B[Row * cols + k] = (A[Col] + 1.0f) * 2.0f;"),
        (10, "B[Row * cols + k] += A[Col] + 1.0f * 2.0f;"),
        (11, "__syncthreads(); }"),  # moved into the loop
        (12, "__syncthreads(); __syncthreads();"),
        (12, ";"),
        (12, "if (threadIdx.x > 0) __syncthreads(); else __syncthreads();"),
        (17, "cudaMemcpy(B, A, bytes, cudaMemcpyHostToDevice);"),
        (17, "CHECK(cudaMemcpy(B, A, bytes - 4, cudaMemcpyHostToDevice));"),
        (17, "CHECK(cudaMemcpy(B, A, bytes, cudaMemcpyDeviceToHost));"),
        (18, "addKernel<<<dim3(cols, rows), 16>>>(A, B, rows, cols);"),
        (18, "addKernel<<<dim3(rows + 1, cols), 16>>>(A, B, rows, cols);"),
        (18, "addKernel<<<dim3(rows, cols), 17>>>(A, B, rows, cols);"),
        (18, "addKernel<<<1, 16>>>(A, B, rows, cols);"),
        (18, "addKernel<<<16, dim3(rows, cols)>>>(A, B, rows, cols);"),
    ],
)
def test_a_slip_becomes_a_mutant(number: int, text: str) -> None:
    made = [one.text.splitlines()[number - 1].strip() for one in MADE]
    assert text in made, sorted(set(made))


def test_comments_preprocessor_lines_and_what_is_printed_stay() -> None:
    assert [one.line for one in MADE if one.line in (1, 2, 4, 19)] == []


def test_every_mutant_is_another_file_with_as_many_lines() -> None:
    texts = {one.text for one in MADE}
    assert len(texts) == len(MADE) > 90 and KERNEL not in texts
    assert {text.count("\n") for text in texts} == {KERNEL.count("\n")}


def test_a_key_stays_if_lines_move_and_names_one_mutant() -> None:
    keys = [one.key for one in MADE]
    assert keys == [one.key for one in Mutator("\n// Above.\n" + KERNEL).mutants()]
    assert len(set(keys)) == len(keys)
    assert "addKernel: if (Row {< -> <=} rows && Col < cols)" in keys


def test_each_row_of_the_tables_names_a_mutant() -> None:
    assert mutants.unknown_rows() == []


def test_an_unchanged_solution_is_built_and_the_same_program() -> None:
    text = mutants.solution("lab1_naive", "matrix_add").read_text(encoding="utf-8")
    assert mutants.Part("lab1_naive", "matrix_add").judge(text, "worker") == ("same", "")


@pytest.mark.seconds(3)
@pytest.mark.parametrize("lab, part", mutants.places())
def test_drawn_mutants_are_found_or_excused(lab: str, part: str) -> None:
    works = mutants.drawn(mutants.works_of(lab, part), DRAWN, SEED)
    judge = mutants.Judge(works, io.StringIO())
    wrong = [verdict for verdict in map(judge.verdict, works) if not str(verdict).startswith("ok ")]
    if wrong:
        pytest.fail("\n".join(map(str, wrong)), pytrace=False)
