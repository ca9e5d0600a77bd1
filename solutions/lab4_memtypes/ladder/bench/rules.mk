# Measures the rungs of lab 4's ladder beside cuBLAS on a card; included by the root Makefile for
# `make bench DEVICE=gpu`. Results go to the folder RESULTS, or to build/gpu/bench.

include common/gpu.mk
LADDER := solutions/lab4_memtypes/ladder
GPU_BENCH := $(BUILD)/gpu/bench$(ARCH:%=-sm%)/gpu_bench
BENCH_OBJECTS := $(patsubst %,$(dir $(GPU_BENCH))%.o,\
                     $(wildcard $(LADDER)/*.cu $(LADDER)/bench/*.cu $(LADDER)/bench/*.cpp))
# Without -Wshadow, which the toolkit's own headers do not stand.
BENCH_FLAGS := $(NVCC_FLAGS) -I$(LADDER) -Xcompiler=-Wall,-Wextra,-Werror

export ARCH COMPILE_ONLY
bench: override RESULTS := $(or $(RESULTS),$(BUILD)/gpu/bench)
bench:
	$(call known_alone,make bench,DEVICE ARCH COMPILE_ONLY RESULTS)
	@SOURCE=Makefile $(USAGE) values
	@$(PARALLEL) $(MAKE) -s $(GPU_BENCH)
	@$(or $(call NOT_RUN,make bench),mkdir -p '$(RESULTS)' && \
	    $(GPU_BENCH) '$(RESULTS)/bench.csv' '$(RESULTS)/bench.md' \
	        "$$(common/setup/cuda.sh card | sed 's/.*driver //')" && \
	    printf '\n%s\n' 'Written: $(RESULTS)/bench.csv and $(RESULTS)/bench.md')
$(GPU_BENCH): $(BENCH_OBJECTS)
	@$(NVCC) $(NVCC_FLAGS) $^ -lcublas -o $@ || { \
	    echo 'gpu_bench does not link; is cuBLAS there? It comes with the CUDA toolkit.' >&2; exit 2; }
$(BENCH_OBJECTS): $(dir $(GPU_BENCH))%.o: %
	$(call nvcc,$<,$(BENCH_FLAGS))
-include $(BENCH_OBJECTS:.o=.d)
