// Lab 4, questions. Put your answer in the place of each UNANSWERED and run
//   make -C lab4_memtypes test PART=answers
// A number may be an expression: 2.0 * 32 * 32. Mind that 1 / 4 is 0 in C++, and 1.0 / 4 is not.
// The answers are compared with what kernels do on the simulated device, some of them your own
// kernel.cu, or with the properties of devices. SM: a multiprocessor.
#include "testing/answers.h"

// Q1. A kernel with the declarations  int LocalVar;  and  __shared__ int SharedVar;  runs with 60
// blocks of 96 threads. How many copies of LocalVar come to life?
constexpr Answer Q1_local = UNANSWERED;

// Q2. And how many of SharedVar?
constexpr Answer Q2_shared = UNANSWERED;

// Q3. Each thread of a kernel makes 36 floating-point operations and seven accesses of 4 bytes to
// global memory. Is it memory_bound or compute_bound on a device with 200 GFLOP/s and 100 GB/s?
constexpr Answer Q3_at_200 = UNANSWERED;

// Q4. And with 300 GFLOP/s and 250 GB/s? memory_bound or compute_bound?
constexpr Answer Q4_at_300 = UNANSWERED;

// Q5. Device D has 16,384 registers and room for 1,536 threads an SM. Blocks of 256 threads take 12
// registers a thread. How many threads does an SM hold at once?
constexpr Answer Q5_registers = UNANSWERED;

// Q6. A GeForce 8800 GTX has room for 768 threads and 8 blocks an SM. Blocks have 64 threads and
// take nothing else. How many threads does an SM hold at once?
constexpr Answer Q6_small = UNANSWERED;

// Q7. An SM has room for 1,536 threads and 8 blocks, and 16 KB of shared memory. Each thread of the
// tiled kernel has two loads on their way, one of M and one of N. How many loads are on their way
// in an SM with TILE_WIDTH 16 (two tiles of 16 x 16 floats a block)? And with 32?
constexpr Answer Q7_pending_16 = UNANSWERED;
constexpr Answer Q7_pending_32 = UNANSWERED;

// Q8. How many floats fit into constant memory?
constexpr Answer Q8_constant = UNANSWERED;

// Q9. Width is 240, tileWidth 80. How many loads from global memory does your kernel.cu make?
constexpr Answer Q9_loads = UNANSWERED;

// Q10. Your kernel.cu with tileWidth 96 on a V100, with 2,048 threads and 96 KB an SM. How many
// threads does an SM hold at once?
constexpr Answer Q10_tile_96 = UNANSWERED;

// Q11. And with tileWidth 32?
constexpr Answer Q11_tile_32 = UNANSWERED;

// Q12. Your kernel.cu with Width 192 and tileWidth 32 on a GeForce 8800 GTX: 16 SMs, each with 16
// KB of shared memory. Blocks that run at the same time are a wave. How many waves does P take?
constexpr Answer Q12_waves = UNANSWERED;

// Q13. In the last wave no SM gets a second block while another has none. How many SMs idle?
constexpr Answer Q13_idle = UNANSWERED;
