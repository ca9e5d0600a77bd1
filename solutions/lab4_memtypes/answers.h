// Lab 4, the answers.
#include "testing/answers.h"

// A copy for each thread, and one for each block.
constexpr Answer Q1_local = 60.0 * 96;
constexpr Answer Q2_shared = 60;

// 36 / 28 operations for each byte: 100 GB/s allow 129 GFLOP/s, fewer than 200; 250 GB/s allow 321,
// more than 300.
constexpr Answer Q3_at_200 = memory_bound;
constexpr Answer Q4_at_300 = compute_bound;

// A block takes 3,072 registers, and 16,384 / 3,072 is 5 and some: only whole blocks count.
constexpr Answer Q5_registers = 5.0 * 256;

// Eight blocks, and then there is room for threads, but for no block.
constexpr Answer Q6_small = 8.0 * 64;

// 2 KB and 256 threads a block: 8 blocks by memory, 6 by threads. 8 KB and 1,024 threads: one.
constexpr Answer Q7_pending_16 = 6.0 * 256 * 2;
constexpr Answer Q7_pending_32 = 1.0 * 1024 * 2;

constexpr Answer Q8_constant = 65536 / 4.0;

// 2 x Width^3 / tileWidth, as 80 divides 240.
constexpr Answer Q9_loads = 2.0 * 240 * 240 * 240 / 80;

// Two tiles take 72 KB: one block, of 96 x 96 / 16 threads.
constexpr Answer Q10_tile_96 = 96.0 * 96 / 16;

// Two tiles take 8 KB: 12 blocks, of 32 x 32 / 16 threads. Smaller tiles, more threads.
constexpr Answer Q11_tile_32 = 12.0 * 32 * 32 / 16;

// 6 x 6 tiles, and an SM holds two blocks: 32 in the first wave, four in the second.
constexpr Answer Q12_waves = 2;
constexpr Answer Q13_idle = 16 - (36.0 - 32);
