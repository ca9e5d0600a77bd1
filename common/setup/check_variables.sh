#!/bin/sh
# Refuses wrong values of the variables that a student gives on make's command line, with a
# sentence, before anything is built. Reads them from the environment; exit status 2. The names on the
# command line are checked where LAB is set.
set -eu

refuse() {
    printf '%s\n' "$1" >&2
    exit 2
}

[ -z "$LAB" ] || common/setup/variable_names.sh "$LAB"

case "${COMPILE_ONLY:-0}" in
    0) COMPILE_ONLY='' ;;
    1) ;;
    *) refuse "COMPILE_ONLY=$COMPILE_ONLY: write 1 to compile without running; leave it out to run." ;;
esac

case "${DEVICE:-sim}" in
    sim) [ -z "$COMPILE_ONLY" ] || refuse 'COMPILE_ONLY=1 goes with DEVICE=gpu; the simulated device runs what it compiles.' ;;
    gpu)
        common/setup/cuda.sh nvcc >/dev/null ||
            refuse 'DEVICE=gpu: there is no nvcc; install the CUDA toolkit, 12 or 13, or leave DEVICE out to use the simulated device.'
        # To compile takes no card.
        [ -n "$COMPILE_ONLY" ] || common/setup/cuda.sh card >/dev/null ||
            refuse 'DEVICE=gpu: the toolkit is there, but no NVIDIA card answers nvidia-smi; install its driver, or leave DEVICE out to use the simulated device.'
        ;;
    *) refuse "DEVICE=$DEVICE: no such device; write DEVICE=sim or DEVICE=gpu." ;;
esac

case "${ARCH:-90}" in
    *[!0-9af]* | [!1-9]*) refuse "ARCH=$ARCH: write the card's compute capability without its point, as in 90." ;;
esac

case "${TILE_WIDTH:-1}" in
    *[!0-9]* | 0) refuse "TILE_WIDTH=$TILE_WIDTH: write a whole number from 1 to 32; a block has at most 1,024 threads." ;;
    *) [ "${TILE_WIDTH:-1}" -le 32 ] || refuse "TILE_WIDTH=$TILE_WIDTH: write a whole number from 1 to 32; a block has at most 1,024 threads." ;;
esac

case "${SCHEDULE:-forward}" in
    forward | reverse) ;;
    random:*[!0-9]* | random:) refuse "SCHEDULE=$SCHEDULE: the seed is a whole number, as in random:7." ;;
    random:*) ;;
    *) refuse "SCHEDULE=$SCHEDULE: write forward, reverse or random:SEED." ;;
esac

case "${SOLUTION:-0}" in
    0 | 1) ;;
    *) refuse "SOLUTION=$SOLUTION: write 1 for the solution; leave it out for your own file." ;;
esac

case "${EXPLAIN:-all}" in
    all) ;;
    *) refuse "EXPLAIN=$EXPLAIN: write all to see every failed test explained." ;;
esac

case "${PROFILE:-default}" in
    default | 8800gtx | cc12 | device-d | maxwell | turing | v100 | h200) ;;
    *) refuse "PROFILE=$PROFILE: write default, 8800gtx, cc12, device-d, maxwell, turing, v100 or h200." ;;
esac

[ -f "$SOURCE" ] || refuse "$SOURCE: no such file; KERNEL= takes the path of a .cu file."
[ -r "$SOURCE" ] || refuse "$SOURCE: cannot be read; check its permissions."
