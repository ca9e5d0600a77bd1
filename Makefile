# The course's front door. `make` alone prints help; README.md says more.

include common/build.mk

# A release (see common/grading/release) holds some of the labs, no solutions, and no teacher's goals.
ALL_LABS := $(patsubst %/Makefile,%,$(wildcard lab*/Makefile))
LABS := $(ALL_LABS)
SOLUTIONS := $(if $(wildcard solutions),1)
UNIT_TESTS := matrix simulator harness testing verdict

GOALS := help demo test progress hint watch reset figures bench doctor clean
.PHONY: $(GOALS) ready ready_to_check units
.DEFAULT_GOAL := help

help:
	@common/setup/capabilities.sh
	@echo
	@echo 'make demo      run every finished lab on its data sets, one table'
	@echo 'make test      check all that ships; your own work is checked by make $(firstword $(SHORT_NAMES))'
	@echo 'make $(firstword $(SHORT_NAMES))      check your own work in a lab; there are $(SHORT_NAMES)'
	@echo 'make progress  which TODOs of which lab are done, next or open'
	@echo 'make hint      a hint for the next one'
	@echo 'make figures   pictures of what the kernels do, to build/figures'
	$(if $(SOLUTIONS),@echo 'make bench     how fast the simulated device is; DEVICE=gpu: a real card')
	@echo 'make doctor    what is installed, what is missing, how to get it'
	@echo 'make clean     remove build/'
	@echo 'In a lab: make test, make run, make watch, make reset; make help there'
	$(TEACHERS_HELP)

# Installs what is missing where that is allowed, says so, and does nothing the second time.
ready:
	@common/setup/install.sh
ready_to_check:
	@common/setup/install.sh $(if $(SOLUTIONS),checks)

# make lab1 is make -C lab1_naive test.
short_name = $(firstword $(subst _, ,$(1)))
SHORT_NAMES := $(foreach lab,$(ALL_LABS),$(call short_name,$(lab)))
.PHONY: $(SHORT_NAMES)
define lab_goal
$(call short_name,$(1)):
	@$(PYTHON) -E -S common/course/without_make.py $$(MAKE) --no-print-directory -C $(1) test
endef
$(foreach lab,$(ALL_LABS),$(eval $(call lab_goal,$(lab))))

export PART TODO AGAIN YES
progress hint:
	@$(call mistyped_in_lab,$(firstword $(LABS)))
	@$(PYTHON) -E -S common/course/student.py $@
watch reset:
	@echo 'make $@ works in a lab: make -C $(firstword $(LABS)) $@' >&2; exit 2

demo: ready
	@$(COUNTED) $(MAKE) --no-print-directory $(JOBS) libraries
	@SOLUTION=$(SOLUTIONS) $(PYTHON) -E -S common/course/student.py demo $(LABS)

# LABS=lab2 PART=banks on the command line narrow what is checked to these.
NARROWED = '$(if $(filter command,$(origin LABS)),$(LABS))' '$(if $(filter command,$(origin PART)),$(PART))'
test: ready_to_check
	$(if $(SOLUTIONS),@$(call mistyped,make test,LABS PART ATTACKS CLASS TWICE JOBS RELEASES))
	$(if $(SOLUTIONS),@$(PYTHON) -B common/checks/chosen.py $(NARROWED))
	@$(COUNTED) $(MAKE) --no-print-directory $(JOBS) libraries units $(if $(SOLUTIONS),faults shared_by_checks) || { \
	    printf '\nWhat failed:\nFAIL  the build of common/, as the compiler says above\n\n0 passed, 1 failed\n'; \
	    exit 1; }
	@$(if $(SOLUTIONS),"$$(common/setup/python.sh pytest xdist yaml)" -B common/checks/run.py --narrowed $(NARROWED),\
	    UNIT_TESTS='$(UNIT_TESTS)' $(PYTHON) -B common/checks/check_copy.py $(LABS))

# From the solutions; in a lab, and where there are none, from the student's own files.
figures:
	@$(MAKE) --no-print-directory -s $(JOBS) libraries
	@for lab in $(LABS); do \
	    $(MAKE) --no-print-directory -f common/lab_rules.mk LAB=$$lab SOLUTION=$(SOLUTIONS) figures || exit 2; \
	done

doctor:
	@command -v $(PYTHON) >/dev/null || \
	    { echo 'make doctor needs Python 3: sudo apt-get install python3' >&2; exit 2; }
	@$(PYTHON) -I -S common/course/doctor.py

ifeq ($(SOLUTIONS),)
bench:
	@echo 'make bench: there is no benchmark here; it comes with the solutions.' >&2; exit 2
else ifeq ($(DEVICE),gpu)
bench:
	@$(MAKE) --no-print-directory $(JOBS) -f solutions/lab4_memtypes/ladder/bench/bench.mk
else
bench: ready
	@$(MAKE) --no-print-directory $(JOBS) libraries bench_programs
	@BUILD='$(BUILD)' CXX='$(CXX)' $(PYTHON) -B common/simulator/bench/bench.py
endif

# The grader's copies of the course may lie outside, where its submissions may enter: a link says so.
clean:
	@[ ! -L $(BUILD)/grading ] || rm -rf "$$(readlink $(BUILD)/grading)"
	rm -rf $(BUILD)

# --- unit tests and benchmark of common/ ---

units: $(UNIT_TESTS:%=$(BUILD)/test_%)
	@:
LAB_TESTS := $(wildcard $(addsuffix /test_*.cpp,$(foreach folder,$(ALL_LABS) $(ALL_LABS:%=solutions/hidden/%),\
                 $(folder) $(folder)/*)))
$(foreach test,$(wildcard $(UNIT_TESTS:%=common/%/tests/test_*.cpp)) $(LAB_TESTS),\
    $(eval $(call include_catch,$(call objects,$(test)))))

# What several of the checks need, which run at the same time.
.PHONY: shared_by_checks
shared_by_checks: $(call objects,$(LAB_TESTS) $(wildcard lab*/main.cpp) common/plots/part_run.cpp)

# A .cu file of the simulator's own tests.
$(BUILD)/cu/%.cpp: %.cu $(TRANSLATE)
	@mkdir -p $(@D)
	@$(TRANSLATE) $< $@.new && mv $@.new $@
$(BUILD)/cu/%.o: $(BUILD)/cu/%.cpp $(KERNEL_PRELUDE)
	@echo "  compile  $*.cu"
	@$(CXX) $(KERNEL_FLAGS) $(INCLUDE_CUDA) -iquote $(dir $*) -Icommon -c $< -o $@
	@$(HEAR_COPIES) $@

tests_of = $(call objects,$(wildcard common/$(1)/tests/*.cpp)) \
           $(patsubst %.cu,$(BUILD)/cu/%.o,$(wildcard common/$(1)/tests/*.cu))

$(BUILD)/test_matrix: $(call tests_of,matrix)
$(BUILD)/test_simulator: $(call tests_of,simulator) $(TRANSLATOR_OBJECTS)
$(BUILD)/test_harness: $(call tests_of,harness)
$(BUILD)/test_testing: $(call tests_of,testing)
$(BUILD)/test_verdict: $(call tests_of,verdict) $(call objects,$(RECORD_SOURCES))
$(BUILD)/test_%: $(TEST_MAIN) $(TEST_LIB) $(SIM_LIB) $(MATRIX_LIB)
	@echo "  link     $@"
	@$(CXX) $(FAST_LINK) $(filter %.o,$^) $(filter %.a,$^) $(CATCH_LIBS) $(SIM_LIBS) -o $@

$(BUILD)/simulator_bench: $(patsubst %.cu,$(BUILD)/cu/%.o,$(wildcard common/simulator/bench/*.cu)) \
                          $(call objects,$(wildcard common/simulator/bench/*.cpp)) $(SIM_LIB)
	@$(CXX) $^ $(SIM_LIBS) -o $@

-include common/simulator/peers/rules.mk
-include common/grading/goals.mk

# A goal that is none of these is mistyped.
GOALS += $(SHORT_NAMES) $(TEACHERS_GOALS)
MISTYPED := $(filter-out $(GOALS) ready ready_to_check units libraries shared_by_checks faults \
                bench_programs $(BUILD)/%,$(MAKECMDGOALS))
$(MISTYPED):
	+@$(USAGE) goal '$@' '$(GOALS)'

-include $(shell find $(BUILD)/cu -name '*.d' 2>/dev/null)
