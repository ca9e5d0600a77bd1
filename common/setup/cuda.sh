#!/bin/sh
# What there is of CUDA on this machine, one question a call. Prints nothing, with a status, where
# the answer is none.
#   cuda.sh nvcc        path of the compiler
#   cuda.sh ncu         path of Nsight Compute
#   cuda.sh sanitizer   path of compute-sanitizer
#   cuda.sh card        name, compute capability and driver of the first card that answers
#   cuda.sh runs        the newest CUDA that the driver runs
set -eu

# The toolkit's installer leaves its programs beside the PATH, and so does WSL with the driver's.
PATH=$PATH:${CUDA_HOME:-/usr/local/cuda}/bin:/usr/lib/wsl/lib

case $1 in
    nvcc) command -v nvcc ;;
    ncu) command -v ncu ;;
    sanitizer) command -v compute-sanitizer ;;
    runs) timeout 20 nvidia-smi 2>/dev/null | sed -n 's/.*CUDA Version: *\([0-9.]*\).*/\1/p' ;;
    card)
        # A driver that is broken says so on standard output, with a status. One that hangs is none.
        answer=$(timeout 20 nvidia-smi --query-gpu=name,compute_cap,driver_version \
            --format=csv,noheader --id=0 2>/dev/null) || answer=''
        printf '%s\n' "$answer" |
            sed -n 's/^\(.*\), \([0-9.]*\), \([0-9.]*\)$/\1, compute capability \2, driver \3/p' |
            grep . && exit
        # On a Jetson nvidia-smi is missing, or knows no capability. A program of nvcc's asks the
        # driver itself and says it without the point.
        model=$(head -c 99 /proc/device-tree/model 2>/dev/null | tr -d '\0')
        case $model in *Jetson*) ;; *) exit 1 ;; esac
        timeout 20 __nvcc_device_query 2>/dev/null |
            sed -n "s/^\([0-9]*\)\([0-9]\).*/$model, compute capability \1.\2, driver of JetPack/p" |
            grep .
        ;;
esac
