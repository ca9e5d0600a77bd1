# The course's front door. `make` alone prints help; README.md says more.

include common/build.mk

LABS := lab1_naive lab2_tiled lab3_boundary lab4_memtypes
UNIT_TESTS := matrix simulator harness
JOBS := $(shell nproc)

.PHONY: help demo test lab1 lab2 lab3 lab4 figures bench doctor clean ready units
.DEFAULT_GOAL := help

help:
	@common/setup/capabilities.sh
	@echo
	@echo 'make demo      run every finished lab on its data sets, one table'
	@echo 'make test      check all that ships: library, simulator, labs, mistakes'
	@echo 'make lab1      check your own work in lab1_naive'
	@echo 'make lab2      the same in the other labs: lab2, lab3, lab4'
	@echo 'make figures   pictures of what the solutions do, to build/figures'
	@echo 'make bench     how fast the simulated device is; DEVICE=gpu: a real card'
	@echo 'make doctor    what is installed, what is missing, how to get it'
	@echo 'make clean     remove build/'
	@echo 'In a lab: make test, make run; SOLUTION=1, KERNEL=file.cu, SCHEDULE=...'

# Installs what is missing where that is allowed, says so, and does nothing the second time.
ready:
	@common/setup/install.sh

lab1:
	@$(MAKE) --no-print-directory -C lab1_naive test

lab2:
	@$(MAKE) --no-print-directory -C lab2_tiled test
lab3:
	@$(MAKE) --no-print-directory -C lab3_boundary test
lab4:
	@$(MAKE) --no-print-directory -C lab4_memtypes test

demo: ready
	@$(MAKE) --no-print-directory -j$(JOBS) libraries
	@common/testing/demo.sh $(LABS)

test: ready
	@$(MAKE) --no-print-directory -j$(JOBS) libraries units faults
	@BUILD='$(BUILD)' UNIT_TESTS='$(UNIT_TESTS)' common/testing/check_all.sh $(LABS)

# From the solutions; in a lab, from the student's own files.
figures:
	@$(MAKE) --no-print-directory -s -j$(JOBS) libraries
	@for lab in $(LABS); do \
	    $(MAKE) --no-print-directory -f common/lab_rules.mk LAB=$$lab SOLUTION=1 figures || exit 2; \
	done

doctor:
	@common/setup/doctor.sh

ifeq ($(DEVICE),gpu)
bench:
	@$(MAKE) --no-print-directory -j$(JOBS) -f common/bench_gpu/bench.mk
else
bench: ready
	@$(MAKE) --no-print-directory -j$(JOBS) libraries bench_programs
	@BUILD='$(BUILD)' CXX='$(CXX)' common/simulator/bench/bench.sh
endif

clean:
	rm -rf $(BUILD)

# --- unit tests and benchmark of common/ ---

units: $(UNIT_TESTS:%=$(BUILD)/test_%)

# A .cu file of the simulator's own tests.
$(BUILD)/cu/%.cpp: %.cu $(TRANSLATE)
	@mkdir -p $(@D)
	@$(TRANSLATE) $< $@.new && mv $@.new $@
$(BUILD)/cu/%.o: $(BUILD)/cu/%.cpp
	@echo "  compile  $*.cu"
	@$(CXX) $(KERNEL_FLAGS) -iquote $(dir $*) -Icommon -c $< -o $@
	@$(HEAR_COPIES) $@

tests_of = $(call objects,$(wildcard common/$(1)/tests/*.cpp)) \
           $(patsubst %.cu,$(BUILD)/cu/%.o,$(wildcard common/$(1)/tests/*.cu))

$(BUILD)/test_matrix: $(call tests_of,matrix)
$(BUILD)/test_simulator: $(call tests_of,simulator) $(TRANSLATOR_OBJECTS)
$(BUILD)/test_harness: $(call tests_of,harness)
$(BUILD)/test_%: $(TEST_MAIN) $(TEST_LIB) $(SIM_LIB) $(MATRIX_LIB)
	@echo "  link     $@"
	@$(CXX) $(filter %.o,$^) $(filter %.a,$^) $(CATCH_LIBS) $(SIM_LIBS) -o $@

$(BUILD)/simulator_bench: $(patsubst %.cu,$(BUILD)/cu/%.o,$(wildcard common/simulator/bench/*.cu)) \
                          $(call objects,$(wildcard common/simulator/bench/*.cpp)) $(SIM_LIB)
	@$(CXX) $^ $(SIM_LIBS) -o $@

include common/simulator/peers/rules.mk

-include $(shell find $(BUILD)/cu -name '*.d' 2>/dev/null)
