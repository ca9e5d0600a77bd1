// Includes Catch2 as the distributions ship it: one header in 2.x (Debian 12), several in 3.x
// (Ubuntu 24.04).
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#define LABS_CATCH3 1
#else
#include <catch2/catch.hpp>
#define LABS_CATCH3 0
#endif
