// Each header of Thrust's includes this one first. Programs that cusim compiles use the Thrust that
// is installed, with its back end in C++: the host runs its algorithms, on device memory.
#pragma once

#ifndef CUSIM_PROGRAM
#include <thrust/is_not_for_labs.h>  // ends the compilation, as if no Thrust is installed
#endif

#define THRUST_DEVICE_SYSTEM 4  // THRUST_DEVICE_SYSTEM_CPP
#define THRUST_IGNORE_DEPRECATED_CPP_DIALECT
#include_next <thrust/detail/config.h>
// A _Pragma of nvcc's means nothing to g++.
#undef __thrust_exec_check_disable__
#define __thrust_exec_check_disable__

#if THRUST_VERSION >= 200000
#include "cusim/std_of_thrust.h"
#endif
