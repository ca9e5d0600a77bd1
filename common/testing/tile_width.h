#pragma once

#include "testing/chosen_tile_width.h"

inline int tileWidth() { return testing::chosenTileWidth(); }
