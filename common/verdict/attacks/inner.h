// The simulated device's namespace, by no word of its own.
#pragma once
#define JOINED(a, b) a##b
#define INNER JOINED(cu, sim)
