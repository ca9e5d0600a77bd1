// Stands in for NVIDIA's header of the same name: groups of the threads of a grid, a block or a
// warp.
#pragma once

#include "cusim/groups/lanes.h"
#include "cusim/groups/thread_group.h"
