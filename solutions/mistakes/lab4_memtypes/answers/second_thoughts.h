// Finding: wrong-answer
#define Q2_shared right_Q2_shared
#define Q5_registers right_Q5_registers
#define Q7_pending_32 right_Q7_pending_32
#define Q10_tile_96 right_Q10_tile_96
#include "solutions/lab4_memtypes/answers.h"
#undef Q2_shared
#undef Q5_registers
#undef Q7_pending_32
#undef Q10_tile_96

// That is __device__ without __shared__.
constexpr Answer Q2_shared = 1;

// As many as fit if registers were no limit.
constexpr Answer Q5_registers = 1536;

// 16 KB hold two, 1,536 threads do not.
constexpr Answer Q7_pending_32 = 2.0 * 1024 * 2;

// A block has two tiles.
constexpr Answer Q10_tile_96 = 2 * 96.0 * 96 / 16;
