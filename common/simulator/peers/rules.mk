# Programs that set the simulated device beside others; included by the root Makefile.

PEERS := common/simulator/peers
FAULT_PROGRAMS := $(patsubst $(PEERS)/faults/%.cu,$(BUILD)/faults/%,$(wildcard $(PEERS)/faults/*/*.cu))

# Each file under faults/ defines the same two names, so each is a program of its own.
faults: $(FAULT_PROGRAMS)
$(BUILD)/faults/%: $(BUILD)/cu/$(PEERS)/faults/%.o $(OBJ)/$(PEERS)/simulated_fault.o $(SIM_LIB)
	@mkdir -p $(@D)
	@$(CXX) $^ $(SIM_LIBS) -o $@

# The benchmark's programs; the one for OpenCL where its header and loader are installed.
OPENCL := $(and $(wildcard /usr/include/CL/cl.h /usr/local/include/CL/cl.h), \
                $(wildcard /usr/lib/*/libOpenCL.so /usr/lib*/libOpenCL.so /usr/local/lib*/libOpenCL.so))
bench_programs: $(BUILD)/simulator_bench $(if $(OPENCL),$(BUILD)/opencl_bench)
$(BUILD)/opencl_bench: $(OBJ)/$(PEERS)/opencl_bench.o
	@$(CXX) $^ -lOpenCL -o $@
