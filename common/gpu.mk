# Builds a lab for a real card; included by lab_rules.mk for DEVICE=gpu. nvcc compiles all that
# includes <cuda_runtime.h>, so that it is the toolkit's header. The rest is shared.

NVCC := $(shell common/setup/cuda.sh nvcc)
# COMPILE_ONLY=1 needs no card, so nvcc may have none to ask for its compute capability.
override ARCH := $(or $(ARCH),$(if $(filter-out 0,$(COMPILE_ONLY)),90))
NVCC_FLAGS := -std=c++17 -O3 -lineinfo -arch=$(if $(ARCH),sm_$(ARCH),native)
# With -g1 and the same date as the precompiled header of the tests: g++ crashes if its own macro is
# redefined only there. For its own -MMD nvcc would read a file twice.
NVCC_HOST := -std=c++17 -O0 -Icommon -I. $(addprefix -Xcompiler=,$(SAME_DATE)) \
             -Xcompiler=-g1,-Wall,-Wextra,-Wshadow,-Werror,-MMD,-MP,-fmacro-prefix-map=./=
LINK := $(NVCC) $(NVCC_FLAGS) $(FAST_LINK:%=-Xcompiler=%)
# exit() ends the code under test, not the tests (see testing/device_gpu.cpp); a launch can be
# timed (see harness/launch_times_gpu.cpp).
LINK_LIBS := $(CATCH_LIBS) \
             $(addprefix -Xlinker --wrap=,exit cudaLaunchKernel __cudaLaunchKernel)
HOST_LIBS := $(BUILD)/gpu/libtesting.a $(MATRIX_LIB)
# Questions about the simulator's counts are compiled only for the simulator.
device_objects = $(patsubst %.cpp,$(BUILD)/gpu/obj/%.o,$(filter-out %_sim.cpp,$(1)))
tests_on_device = $(if $(test_values),$(BUILD)/gpu/obj/$(1)/tests.o)
test_values = $(filter-out %_sim.cpp,$(test_files))
explained = $(1)

define nvcc
@mkdir -p $(@D)$(call step,nvcc     $(1))
@$(NVCC) $(2) $(or $(3),-c '$(1)') -o $@
endef
$(BUILD)/gpu/obj/%/tests.o: $$(call test_values,$$*) $(TEST_PRELUDE)
	$(call nvcc,$*/test_*.cpp,$(NVCC_HOST) $(PRELUDE),$(call in_one,$(call test_values,$*)))
	@echo '$(lastword $(call test_values,$*)):' >>$(@:.o=.d)
$(BUILD)/gpu/obj/%.o: %.cpp
	$(call nvcc,$<,$(NVCC_HOST) $(PRELUDE))
$(BUILD)/gpu/libtesting.a: $(SHARED_OBJECTS) $(call device_objects,$(wildcard common/*/*_gpu.cpp))
