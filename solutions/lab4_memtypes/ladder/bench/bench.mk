# The benchmark on a card: the rungs of lab 4's ladder beside cuBLAS. Called from the repository's
# root as `make bench DEVICE=gpu`. Results go to build/, or to the folder RESULTS.

include common/build.mk
include common/gpu.mk

LADDER := solutions/lab4_memtypes/ladder
RUNGS := $(wildcard $(LADDER)/*.cu)
RESULTS ?= $(BUILD)/gpu/bench
OUT := $(BUILD)/gpu/bench$(ARCH:%=-sm%)
OBJECTS := $(patsubst %.cu,$(OUT)/%.o,$(RUNGS) $(wildcard $(LADDER)/bench/*.cu)) \
           $(patsubst %.cpp,$(OUT)/%.o,$(wildcard $(LADDER)/bench/*.cpp))
# Without -Wshadow, which the toolkit's own headers do not stand.
FLAGS := $(NVCC_FLAGS) -I$(LADDER) -Xcompiler=-Wall,-Wextra,-Werror -MMD -MP

.PHONY: bench checked
.DEFAULT_GOAL := bench

bench: checked $(OUT)/gpu_bench
ifdef NOT_RUN
	@$(call NOT_RUN,make bench)
else
	@mkdir -p '$(RESULTS)'
	@$(OUT)/gpu_bench '$(RESULTS)/bench.csv' '$(RESULTS)/bench.md' \
	    "$$(common/setup/cuda.sh card | sed 's/.*driver //')"
	@echo; echo 'Written: $(RESULTS)/bench.csv and $(RESULTS)/bench.md'
endif

export ARCH COMPILE_ONLY
checked:
	@$(call mistyped,make bench,DEVICE ARCH COMPILE_ONLY RESULTS)
	@DEVICE=gpu SOURCE=$(firstword $(RUNGS)) $(USAGE) values

$(OUT)/%.o: %.cu | checked
	@mkdir -p $(@D)
	@echo "  nvcc     $<"
	@$(NVCC) $(FLAGS) -c $< -o $@

$(OUT)/%.o: %.cpp | checked
	@mkdir -p $(@D)
	@echo "  nvcc     $<"
	@$(NVCC) $(FLAGS) -c $< -o $@

$(OUT)/gpu_bench: $(OBJECTS)
	@$(NVCC) $(NVCC_FLAGS) $^ -lcublas -o $@ || { \
	    echo 'gpu_bench does not link; is cuBLAS there? It comes with the CUDA toolkit.' >&2; exit 2; }

-include $(shell find $(OUT) -name '*.d' 2>/dev/null)
