// Lab 4, questions. Replace each UNANSWERED by your answer, then run
//   make -C lab4_memtypes test PART=answers
// An answer may be an expression: 2.0 * 32 * 32. In C++, 1 / 4 is 0, but 1.0 / 4 is 0.25.
// The answers are compared with what kernels do on the simulated device (some of them are your own
// kernel.cu), or with the properties of devices. An SM is a multiprocessor.
#include "testing/answers.h"

// Q1. A kernel has the declarations  int LocalVar;  and  __shared__ int SharedVar;  and runs with
// 60 blocks of 96 threads. How many copies of LocalVar are there during the whole run?
constexpr Answer Q1_local = UNANSWERED;

// Q2. The kernel is that of Q1. How many copies of SharedVar are there during the whole run?
constexpr Answer Q2_shared = UNANSWERED;

// Q3. Each thread of a kernel makes 36 floating-point operations and seven accesses of 4 bytes to
// global memory. Is it memory_bound or compute_bound on a device with 200 GFLOP/s and 100 GB/s?
constexpr Answer Q3_at_200 = UNANSWERED;

// Q4. Is the kernel of Q3 memory_bound or compute_bound on a device with 300 GFLOP/s and 250 GB/s?
constexpr Answer Q4_at_300 = UNANSWERED;

// Q5. An SM of device D has 16,384 registers and can hold 1,536 threads. A block has 256 threads,
// and each thread needs 12 registers. How many threads does an SM hold at once?
constexpr Answer Q5_registers = UNANSWERED;

// Q6. An SM of a GeForce 8800 GTX can hold 768 threads and 8 blocks. A block has 64 threads and
// needs nothing else. How many threads does an SM hold at once?
constexpr Answer Q6_small = UNANSWERED;

// Q7. An SM can hold 1,536 threads and 8 blocks, and has 16 KB of shared memory. A block of the
// tiled kernel has two tiles of TILE_WIDTH x TILE_WIDTH floats, and each thread waits for two
// loads. How many loads do all threads of an SM wait for together, with TILE_WIDTH 16? With 32?
constexpr Answer Q7_pending_16 = UNANSWERED;
constexpr Answer Q7_pending_32 = UNANSWERED;

// Q8. How many floats fit into constant memory?
constexpr Answer Q8_constant = UNANSWERED;

// Q9. Width is 240, tileWidth is 80. How many loads from global memory does your kernel.cu make?
constexpr Answer Q9_loads = UNANSWERED;

// Q10. Your kernel.cu runs with tileWidth 96 on a V100. An SM of a V100 can hold 2,048 threads, and
// has 96 KB of shared memory. How many threads of your kernel does an SM hold at once?
constexpr Answer Q10_tile_96 = UNANSWERED;

// Q11. Your kernel.cu runs with tileWidth 32 on a V100. How many threads does an SM hold at once?
constexpr Answer Q11_tile_32 = UNANSWERED;

// Q12. Your kernel.cu runs with Width 192 and tileWidth 32 on a GeForce 8800 GTX. It has 16 SMs,
// each with 16 KB of shared memory. A wave is all blocks that run at the same time. How many waves
// are needed to compute P?
constexpr Answer Q12_waves = UNANSWERED;

// Q13. How many SMs have no block in the last wave of Q12? (Blocks are spread evenly.)
constexpr Answer Q13_idle = UNANSWERED;
