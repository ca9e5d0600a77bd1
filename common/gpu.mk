# How a lab is built for a real card; included for DEVICE=gpu. nvcc compiles all that includes
# <cuda_runtime.h>, so that it is the toolkit's header. The rest is shared with the simulator.

NVCC := $(shell common/setup/cuda.sh nvcc)
# COMPILE_ONLY=1 needs no card, so that nvcc has none to ask for its compute capability.
ifneq ($(filter-out 0,$(COMPILE_ONLY)),)
NOT_RUN = echo '$(1): compiled, not run (COMPILE_ONLY=1)'
override ARCH := $(or $(ARCH),90)
endif
NVCC_FLAGS := -std=c++17 -O3 -lineinfo -arch=$(if $(ARCH),sm_$(ARCH),native)
NVCC_HOST_FLAGS := -std=c++17 -O0 -g -Icommon -I. -Xcompiler=-Wall,-Wextra,-Wshadow,-Werror -MMD -MP
# exit() ends the code under test and not the tests (see testing/device_gpu.cpp).
GPU_LIBS := -Xlinker --wrap=exit

GPU_OBJ := $(BUILD)/gpu/obj
gpu_objects = $(patsubst %.cpp,$(GPU_OBJ)/%.o,$(1))
GPU_TEST_LIB := $(BUILD)/gpu/libtesting.a

define nvcc
@mkdir -p $(@D)
@echo "  nvcc     $(1)"
@$(NVCC) $(2) -c '$(1)' -o $@
endef
$(GPU_OBJ)/%.o: %.cpp
	$(call nvcc,$<,$(NVCC_HOST_FLAGS))
$(GPU_TEST_LIB): $(SHARED_OBJECTS) $(call gpu_objects,$(OWN_SOURCES:%_sim.cpp=%_gpu.cpp))

-include $(shell find $(GPU_OBJ) -name '*.d' 2>/dev/null)
