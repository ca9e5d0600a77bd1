#!/bin/sh
# One line: what this machine can do for the course.
set -eu
sim='simulator: not ready (make doctor)'
if command -v g++ >/dev/null 2>&1 && common/setup/boost_context.sh >/dev/null; then
    sim='simulator: ready'
fi
toolkit='CUDA toolkit: no'
common/setup/cuda.sh nvcc >/dev/null && toolkit='CUDA toolkit: found'
card='GPU: none'
if found=$(common/setup/cuda.sh card); then card="GPU: ${found%%,*}"; fi
echo "$sim | $toolkit | $card"
