#!/bin/sh
# Refuses wrong values of the variables that a student gives on make's command line, with a
# sentence, before anything is built. Reads them from the environment; exit status 2.
set -eu

refuse() {
    printf '%s\n' "$1" >&2
    exit 2
}

case "${DEVICE:-sim}" in
    sim) ;;
    gpu)
        command -v nvcc >/dev/null 2>&1 ||
            refuse 'DEVICE=gpu: nvcc is not on the PATH; install the CUDA toolkit, or leave DEVICE out to use the simulated device.'
        [ -e /dev/nvidiactl ] || [ -e /dev/dxg ] ||
            refuse 'DEVICE=gpu: this machine has no NVIDIA card; leave DEVICE out to use the simulated device.'
        ;;
    *) refuse "DEVICE=$DEVICE: no such device; write DEVICE=sim or DEVICE=gpu." ;;
esac

case "${TILE_WIDTH:-1}" in
    *[!0-9]* | 0) refuse "TILE_WIDTH=$TILE_WIDTH: write a whole number from 1 to 32." ;;
    *) [ "${TILE_WIDTH:-1}" -le 32 ] || refuse "TILE_WIDTH=$TILE_WIDTH: write a whole number from 1 to 32." ;;
esac

case "${SCHEDULE:-forward}" in
    forward | reverse) ;;
    random:*[!0-9]* | random:) refuse "SCHEDULE=$SCHEDULE: the seed is a whole number, as in random:7." ;;
    random:*) ;;
    *) refuse "SCHEDULE=$SCHEDULE: write forward, reverse or random:SEED." ;;
esac

[ -f "$SOURCE" ] || refuse "$SOURCE: no such file; KERNEL= takes the path of a .cu file."
[ -r "$SOURCE" ] || refuse "$SOURCE: cannot be read; check its permissions."
