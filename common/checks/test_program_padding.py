"""Checks that programs may read the padding of structures, but no other uninitialized memory."""

import pathlib

import pytest
from program_runs import call, cusim, write

pytestmark = [pytest.mark.seconds(25), pytest.mark.full]

ROWS = """#include <cstdio>
struct Row { char tag; double value; };
struct Table { Row* rows; const Row* same; };
__global__ void store(Table t, bool all) {
    t.rows[threadIdx.x].tag = 1;
    if (all) t.rows[threadIdx.x].value = 2; }
__global__ void copy(Table t, Table u) { u.rows[threadIdx.x] = t.rows[threadIdx.x]; }
int main(int count, char**) {
    Table t, u[1];
    alignas(8) char raw[8], *bytes = raw;
    cudaMalloc((void**)&t.rows, 8 * sizeof(Row));
    cudaMalloc(reinterpret_cast<void**>(&u[0].rows), 8 * sizeof(Row));
    cudaMalloc((void**)&t.same, 8);
    cudaMalloc((void**)bytes, 8);
    store<<<1, 8>>>(t, count == 1);
    copy<<<1, 8>>>(t, u[0]);
    Row host[8];
    cudaMemcpy(host, u[0].rows, sizeof host, cudaMemcpyDeviceToHost); }
"""


def test_padding_may_be_read_if_a_cast_hides_the_type(tmp_path: pathlib.Path) -> None:
    write(tmp_path, p_cu=ROWS)
    assert cusim(tmp_path, "p.cu").stderr == ""
    assert call("./a.out", cwd=tmp_path).stderr == ""
    assert call("./a.out", "x", cwd=tmp_path).stderr.startswith("p.cu:7: the kernel reads t.rows")


# Kernels that get bytes, and read them as structures with padding.
BYTES = """
struct Node { char tag; double value; int next; };
struct Pool { unsigned char* first; };
template <class T> __device__ T* at(void* bytes, int i) { return static_cast<T*>(bytes) + i; }
__global__ void store(char* raw, bool all) {
    Node* own = at<Node>(raw, threadIdx.x);
    own->tag = 1, own->value = 2;
    if (all) own->next = 3; }
__global__ void copy(void* raw, Pool to) {
    const int i = (int)(threadIdx.x * sizeof(Node));
    *(Node*)(to.first + i) = *reinterpret_cast<const Node*>((char*)raw + i); }
int main(int count, char**) {
    Node host[8];
    char* a;
    Pool pool;
    cudaMalloc(&a, sizeof host);
    cudaMalloc(&pool.first, sizeof host);
    store<<<1, 8>>>(a, count == 1);
    copy<<<1, 8>>>(a, pool);
    cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost); }
"""


def test_padding_may_be_read_of_structures_as_which_a_kernel_takes_bytes(
    tmp_path: pathlib.Path,
) -> None:
    write(tmp_path, p_cu=BYTES)
    assert cusim(tmp_path, "p.cu").stderr == ""
    assert call("./a.out", cwd=tmp_path).stderr == ""
    found = call("./a.out", "x", cwd=tmp_path).stderr
    assert found.startswith("p.cu:11: the kernel reads a before it is written")


# Two parts of a pool: a head, and floats; one float is never set.
POOL = """struct Head { char tag; double value; int count; };
__global__ void fill(char* raw) {
    Head* head = (Head*)raw;
    head->tag = 1, head->value = 2, head->count = 3;
    float* rest = (float*)(raw + sizeof(Head));
    rest[0] = 1; }
__global__ void look(char* raw, float* y) { *y = ((float*)(raw + sizeof(Head)))[1]; }
int main() {
    char* a; float* y;
    cudaMalloc(&a, 256), cudaMalloc(&y, 4);
    fill<<<1, 1>>>(a);
    look<<<1, 1>>>(a, y);
    cudaFree(a), cudaFree(y); }
"""
# Blocks use parts that are far from each other, on several host threads at once.
FAR = """struct Node { char tag; double value; int next; };
__global__ void store(char* raw) {
    Node* own = (Node*)raw + (blockIdx.x * 10922 + threadIdx.x);
    own->tag = 1, own->value = 2, own->next = 3;
    Node copy = *own;
    own->value = copy.value + 1; }
int main() {
    char *a, *b, host[256 * sizeof(Node)];
    cudaMalloc(&a, 1 << 25), cudaMalloc(&b, sizeof host);
    store<<<128, 256>>>(a);
    cudaMemcpy(b, a, sizeof host, cudaMemcpyDeviceToDevice);
    cudaMemcpy(host, b, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(a), cudaFree(b); }
"""

# The same with structures without padding; a member is never set.
QUADS = """struct Best { double value; int place; };
struct Quad { float x, y, z, w; };
__global__ void both(char* raw, Quad* out) {
    Best* best = (Best*)raw;
    Quad* quads = (Quad*)(raw + 32 * sizeof(Best));
    best[threadIdx.x].value = 1, best[threadIdx.x].place = 2;
    quads[threadIdx.x].x = quads[threadIdx.x].y = quads[threadIdx.x].z = 1;
    out[threadIdx.x] = quads[threadIdx.x]; }
int main() {
    char* a; Quad* out;
    cudaMalloc(&a, 1024), cudaMalloc(&out, 512);
    both<<<1, 32>>>(a, out);
    cudaFree(a), cudaFree(out); }
"""


def test_padding_excuses_no_other_part_of_a_pool(tmp_path: pathlib.Path) -> None:
    write(tmp_path, p_cu=POOL)
    assert cusim(tmp_path, "p.cu").stderr == ""
    found = call("./a.out", cwd=tmp_path).stderr
    assert found.startswith("p.cu:7: the kernel reads device memory before it is written")
    write(tmp_path, p_cu=QUADS)
    assert cusim(tmp_path, "p.cu").stderr == ""
    found = call("./a.out", cwd=tmp_path).stderr
    assert found.startswith("p.cu:8: the kernel reads device memory before it"), found


# Rows that do not begin at a multiple of an element's size, from the first on and from the last.
PITCHED = """struct Cell { float v; int n; char t; };
__global__ void fill(Cell* base, size_t pitch, bool all) {
    Cell* row = (Cell*)((char*)base + (gridDim.x - 1 - blockIdx.x) * pitch);
    row[threadIdx.x].v = 1, row[threadIdx.x].t = 2;
    if (all || blockIdx.x % 3 > 0) row[threadIdx.x].n = 3; }
__global__ void turn(Cell* base, size_t pitch, char* to) {
    const Cell* row = (const Cell*)((const char*)base + blockIdx.x * pitch);
    ((Cell*)(to + (gridDim.x - 1 - blockIdx.x) * pitch))[threadIdx.x] = row[threadIdx.x]; }
int main(int count, char**) {
    Cell* a; char* b; size_t pitch;
    cudaMallocPitch(&a, &pitch, 20 * sizeof(Cell), 50), cudaMalloc(&b, 50 * pitch);
    fill<<<50, 20>>>(a, pitch, count == 1);
    turn<<<50, 20>>>(a, pitch, b);
    static Cell host[50][20];
    cudaMemcpy2D(host, sizeof host[0], b, pitch, sizeof host[0], 50, cudaMemcpyDeviceToHost);
    cudaFree(a), cudaFree(b); }
"""


def test_padding_is_where_each_row_of_a_pitched_array_has_it(tmp_path: pathlib.Path) -> None:
    write(tmp_path, p_cu=PITCHED)
    assert cusim(tmp_path, "p.cu").stderr == ""
    assert call("./a.out", cwd=tmp_path).stderr == ""
    found = call("./a.out", "x", cwd=tmp_path).stderr
    assert found.startswith("p.cu:8: the kernel reads device memory before it"), found
    # Each third row, from the last on.
    assert "    340 reads of this kind\n" in found, found


# A scratch buffer, in which each launch makes another layout: shown by a cast, and by parameters.
LAYOUTS = """struct Cell { float v; int n; char t; };
__device__ void set(Cell& one) { one.v = 1, one.n = 2, one.t = 3; }
__global__ void rows(char* b, Cell* out) {
    Cell* row = (Cell*)(b + blockIdx.x * 512);
    set(row[threadIdx.x]);
    out[blockIdx.x * 20 + threadIdx.x] = row[threadIdx.x]; }
__global__ void line(char* b, Cell* out) {
    Cell* all = (Cell*)b;
    set(all[threadIdx.x]);
    out[threadIdx.x] = all[threadIdx.x]; }
__global__ void fill(Cell* a) { set(a[threadIdx.x]); }
__global__ void copy(Cell* a, Cell* b) { b[threadIdx.x] = a[threadIdx.x]; }
int main() {
    char* b; Cell* out;
    cudaMalloc(&b, 1 << 16), cudaMalloc(&out, 160 * sizeof(Cell));
    rows<<<8, 20>>>(b, out);
    line<<<1, 160>>>(b, out);
    cudaFree(b), cudaMalloc(&b, 1 << 16);
    for (int n = 100; n <= 400; n += 300) {
        Cell *first = (Cell*)b, *second = (Cell*)(b + (n * sizeof(Cell) + 255) / 256 * 256);
        fill<<<1, n>>>(first);
        copy<<<1, n>>>(first, second); }
    cudaDeviceSynchronize(), cudaFree(b), cudaFree(out); }
"""


def test_padding_may_be_read_in_each_layout_that_launches_make_of_a_buffer(
    tmp_path: pathlib.Path,
) -> None:
    write(tmp_path, p_cu=LAYOUTS)
    assert cusim(tmp_path, "p.cu").stderr == ""
    assert call("./a.out", cwd=tmp_path).stderr == ""


def test_padding_is_known_to_all_blocks_at_once(tmp_path: pathlib.Path) -> None:
    write(tmp_path, p_cu=FAR)
    assert cusim(tmp_path, "p.cu").stderr == ""
    assert call("./a.out", cwd=tmp_path).stderr == ""
