// Finding: wrong-answer
#define Q1_local right_Q1_local
#define Q2_shared right_Q2_shared
#define Q3_at_200 right_Q3_at_200
#define Q4_at_300 right_Q4_at_300
#define Q5_registers right_Q5_registers
#define Q6_small right_Q6_small
#define Q7_pending_16 right_Q7_pending_16
#define Q8_constant right_Q8_constant
#define Q9_loads right_Q9_loads
#define Q10_tile_96 right_Q10_tile_96
#define Q11_tile_32 right_Q11_tile_32
#include "solutions/lab4_memtypes/answers.h"
#undef Q1_local
#undef Q2_shared
#undef Q3_at_200
#undef Q4_at_300
#undef Q5_registers
#undef Q6_small
#undef Q7_pending_16
#undef Q8_constant
#undef Q9_loads
#undef Q10_tile_96
#undef Q11_tile_32

// Each thread has its own.
constexpr Answer Q1_local = 60;

// The threads of a block share it.
constexpr Answer Q2_shared = 60.0 * 96;

// 36 operations for 7 accesses, but these are 28 bytes.
constexpr Answer Q3_at_200 = compute_bound;

// 250 GB/s are enough for this kernel.
constexpr Answer Q4_at_300 = memory_bound;

// Only whole blocks count.
constexpr Answer Q5_registers = 16384.0 / 12;

// There may be no more than 8 blocks.
constexpr Answer Q6_small = 768;

// 8 blocks fit the memory, but not the threads.
constexpr Answer Q7_pending_16 = 8.0 * 256 * 2;

// A float has 4 bytes.
constexpr Answer Q8_constant = 65536;

// N is loaded as well.
constexpr Answer Q9_loads = 240.0 * 240 * 240 / 80;

// A thread computes 16 elements.
constexpr Answer Q10_tile_96 = 96.0 * 96;

// Shared memory has no room for so many blocks.
constexpr Answer Q11_tile_32 = 2048;
