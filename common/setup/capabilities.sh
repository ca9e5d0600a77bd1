#!/bin/sh
# One line: what this machine can do for the course.
set -eu
sim='simulator: not ready (make doctor)'
if command -v g++ >/dev/null 2>&1 && [ -e /usr/include/boost/context/fiber.hpp ]; then
    sim='simulator: ready'
fi
toolkit='CUDA toolkit: no'
command -v nvcc >/dev/null 2>&1 && toolkit='CUDA toolkit: found'
card='GPU: none'
if [ -e /dev/nvidiactl ] || [ -e /dev/dxg ]; then card='GPU: found'; fi
echo "$sim | $toolkit | $card"
