# How a lab is built for a real card; included by lab_rules.mk for DEVICE=gpu. nvcc compiles all
# that includes <cuda_runtime.h>, so that it is the toolkit's header and not the simulator's. What
# knows no device is shared with the simulator's build.

NVCC := $(shell common/setup/cuda.sh nvcc)
# The card's compute capability without its point, such as 90; without one, nvcc asks the card.
ARCH ?=
# COMPILE_ONLY=1 builds what would run and needs no card, so that nvcc has none to ask.
COMPILE_ONLY ?=
ifneq ($(filter-out 0,$(COMPILE_ONLY)),)
NOT_RUN = echo '$(1): compiled, not run (COMPILE_ONLY=1)'
override ARCH := $(or $(ARCH),90)
endif
NVCC_FLAGS := -std=c++17 -O3 -lineinfo -arch=$(if $(ARCH),sm_$(ARCH),native)
# With -g1, as the precompiled header of the tests is; another host compiler reads its source.
NVCC_HOST_FLAGS := -std=c++17 -O0 -Icommon -I. -Xcompiler=-g1,-Wall,-Wextra,-Wshadow,-Werror -MMD -MP
# exit() ends the code under test and not the tests (see testing/device_gpu.cpp).
GPU_LIBS := -Xlinker --wrap=exit

GPU_OBJ := $(BUILD)/gpu/obj
gpu_objects = $(patsubst %.cpp,$(GPU_OBJ)/%.o,$(1))
GPU_TEST_LIB := $(BUILD)/gpu/libtesting.a

$(GPU_OBJ)/%.o: %.cpp
	@mkdir -p $(@D)
	@echo "  nvcc     $<"
	@$(NVCC) $(NVCC_HOST_FLAGS) -c $< -o $@

$(GPU_TEST_LIB): $(SHARED_OBJECTS) $(call gpu_objects,$(OWN_SOURCES:%_sim.cpp=%_gpu.cpp))
	$(archive)

-include $(shell find $(GPU_OBJ) -name '*.d' 2>/dev/null)
