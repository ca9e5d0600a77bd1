# Programs that set the simulated device beside others; included by the root Makefile.

PEERS := common/simulator/peers
FAULT_PROGRAMS := $(patsubst $(PEERS)/faults/%.cu,$(BUILD)/faults/%,$(wildcard $(PEERS)/faults/*/*.cu))

# Each file under faults/ defines the same two names, so each is a program of its own.
.PHONY: faults
faults: $(FAULT_PROGRAMS)
$(BUILD)/faults/%: $(BUILD)/cu/$(PEERS)/faults/%.o $(call objects,$(PEERS)/simulated_fault.cpp) $(SIM_LIB)
	@mkdir -p $(@D)
	@$(CXX) $^ $(SIM_LIBS) -o $@
