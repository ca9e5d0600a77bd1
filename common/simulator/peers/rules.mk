# Programs that set the simulated device beside others, and `make bench`; included by the root
# Makefile.

PEERS := common/simulator/peers
# Each file under faults/ defines the same two names, so each is a program of its own.
faults: $(patsubst $(PEERS)/faults/%.cu,$(BUILD)/faults/%,$(wildcard $(PEERS)/faults/*/*.cu))
$(BUILD)/faults/%: $(BUILD)/cu/$(PEERS)/faults/%.o $(OBJ)/$(PEERS)/simulated_fault.o $(SIM_LIB)
	@mkdir -p $(@D)
	@$(CXX) $^ $(SIM_LIBS) -o $@

ifeq ($(DEVICE)$(if $(filter bench %/gpu_bench,$(MAKECMDGOALS)),:bench),gpu:bench)
include solutions/lab4_memtypes/ladder/bench/rules.mk
else
bench: ready
	@$(PARALLEL) $(MAKE) --no-print-directory libraries bench_programs
	@BUILD='$(BUILD)' CXX='$(CXX)' $(PYTHON) -B common/simulator/bench/bench.py
endif
# The peer of OpenCL where its header and loader are installed.
OPENCL := $(and $(wildcard /usr/include/CL/cl.h /usr/local/include/CL/cl.h), \
                $(wildcard /usr/lib/*/libOpenCL.so /usr/lib*/libOpenCL.so /usr/local/lib*/libOpenCL.so))
bench_programs: $(BUILD)/simulator_bench $(if $(OPENCL),$(BUILD)/opencl_bench)
$(BUILD)/simulator_bench: $(call cu_of_room,simulator/bench) $(call of_room,simulator/bench) \
                          $(SIM_LIB)
	@$(CXX) $^ $(SIM_LIBS) -o $@
$(BUILD)/opencl_bench: $(OBJ)/$(PEERS)/opencl_bench.o
	@$(CXX) $^ -lOpenCL -o $@
