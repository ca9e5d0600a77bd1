#!/bin/sh
# Answers one question per call about CUDA on this machine. If the answer is none, prints nothing
# and ends with a status.
#   cuda.sh nvcc        path of the compiler
#   cuda.sh ncu         path of Nsight Compute
#   cuda.sh sanitizer   path of compute-sanitizer
#   cuda.sh card        name, compute capability and driver of the first card that answers
#   cuda.sh runs        the newest CUDA that the driver runs
set -eu

# The toolkit's installer does not add its programs to the PATH, nor does WSL those of the driver.
PATH=$PATH:${CUDA_HOME:-/usr/local/cuda}/bin:/usr/lib/wsl/lib

case $1 in
    nvcc) command -v nvcc ;;
    ncu) command -v ncu ;;
    sanitizer) command -v compute-sanitizer ;;
    runs) timeout 20 nvidia-smi 2>/dev/null | sed -n 's/.*CUDA Version: *\([0-9.]*\).*/\1/p' ;;
    card)
        # A broken driver prints its error to stdout, with a status. One that hangs counts as none.
        answer=$(timeout 20 nvidia-smi --query-gpu=name,compute_cap,driver_version \
            --format=csv,noheader --id=0 2>/dev/null) || answer=''
        printf '%s\n' "$answer" |
            sed -n 's/^\(.*\), \([0-9.]*\), \([0-9.]*\)$/\1, compute capability \2, driver \3/p' |
            grep . && exit
        # On a Jetson nvidia-smi is missing, or does not know the capability. A program of nvcc
        # asks the driver and prints it without the point.
        model=$(head -c 99 /proc/device-tree/model 2>/dev/null | tr -d '\0')
        case $model in *Jetson*) ;; *) exit 1 ;; esac
        timeout 20 __nvcc_device_query 2>/dev/null |
            sed -n "s/^\([0-9]*\)\([0-9]\).*/$model, compute capability \1.\2, driver of JetPack/p" |
            grep .
        ;;
esac
