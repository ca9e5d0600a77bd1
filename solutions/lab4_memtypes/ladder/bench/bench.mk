# The benchmark on a card: the rungs of lab 4's ladder beside cuBLAS. Called from the repository's
# root as `make bench DEVICE=gpu`. Results go to build/, or to the folder RESULTS.

include common/build.mk
include common/gpu.mk

LADDER := solutions/lab4_memtypes/ladder
RESULTS ?= $(BUILD)/gpu/bench
OUT := $(BUILD)/gpu/bench$(ARCH:%=-sm%)
OBJECTS := $(addprefix $(OUT)/,$(addsuffix .o,\
               $(wildcard $(LADDER)/*.cu $(LADDER)/bench/*.cu $(LADDER)/bench/*.cpp)))
# Without -Wshadow, which the toolkit's own headers do not stand.
FLAGS := $(NVCC_FLAGS) -I$(LADDER) -Xcompiler=-Wall,-Wextra,-Werror -MMD -MP

.PHONY: bench checked
.DEFAULT_GOAL := bench

bench: checked $(OUT)/gpu_bench
	@$(or $(call NOT_RUN,make bench),mkdir -p '$(RESULTS)'; \
	    $(OUT)/gpu_bench '$(RESULTS)/bench.csv' '$(RESULTS)/bench.md' \
	    "$$(common/setup/cuda.sh card | sed 's/.*driver //')" && \
	    printf '\n%s\n' 'Written: $(RESULTS)/bench.csv and $(RESULTS)/bench.md')

export ARCH COMPILE_ONLY
checked:
	$(if $(GIVEN),@$(USAGE) names 'make bench' 'DEVICE ARCH COMPILE_ONLY RESULTS' '$(GIVEN)')
	@DEVICE=gpu SOURCE=Makefile $(USAGE) values

$(OBJECTS): $(OUT)/%.o: % | checked
	$(call nvcc,$<,$(FLAGS))

$(OUT)/gpu_bench: $(OBJECTS)
	@$(NVCC) $(NVCC_FLAGS) $^ -lcublas -o $@ || { \
	    echo 'gpu_bench does not link; is cuBLAS there? It comes with the CUDA toolkit.' >&2; exit 2; }

-include $(OBJECTS:.o=.d)
