# The course's front door. `make` alone prints help; README.md says more.

include common/build.mk

# A release holds some of the labs, no solutions, and no teacher's goals: see common/grading/release.
ALL_LABS := $(patsubst %/Makefile,%,$(wildcard lab*/Makefile))
LABS := $(ALL_LABS)
SOLUTIONS := $(if $(wildcard solutions),1)
SHORT_NAMES := $(foreach lab,$(ALL_LABS),$(firstword $(subst _, ,$(lab))))
GOALS := help demo test progress hint watch reset figures bench doctor clean $(SHORT_NAMES)
.PHONY: $(GOALS) ready units shared_by_checks faults bench_programs
.DEFAULT_GOAL := help

help:
	@common/setup/help.sh $(SHORT_NAMES)

# Installs what is missing where that is allowed, says so, and does nothing the second time.
ready:
	@common/setup/install.sh $(if $(SOLUTIONS),$(filter test,$(MAKECMDGOALS)))
needs_python = @command -v $(PYTHON) >/dev/null || \
    { echo 'make $@ needs Python 3: sudo apt-get install python3' >&2; exit 2; }
# Refuses names on the command line that a goal does not know.
USAGE := $(PYTHON) -I -S common/course/usage.py
known_alone = $(if $(GIVEN),@$(USAGE) names '$(1)' "$(2)" '$(GIVEN)')
# As many jobs as the machine has room for, where no -j says otherwise, and a line that counts them.
PARALLEL = GNUMAKEFLAGS=-j$(shell common/setup/jobs.sh)
COUNTED := $(PYTHON) -I -S common/setup/counting.py

# make lab1 is make -C lab1_naive test. The others are about all labs, or those of LABS.
$(SHORT_NAMES):
	+@$(STUDENT) lab '' $@ '$(GIVEN)'
progress hint watch reset figures $(if $(SOLUTIONS),,bench):
	@$(STUDENT) lab '' $@ '$(GIVEN)'
demo: ready
	@$(PARALLEL) $(COUNTED) $(MAKE) --no-print-directory libraries
	@$(STUDENT) lab '' demo '$(GIVEN)'
doctor:
	$(needs_python)
	@$(PYTHON) -I -S common/course/doctor.py
# A link leads to the grader's copies of the course, where they lie outside.
clean:
	@[ ! -L $(BUILD)/grading ] || rm -rf "$$(readlink $(BUILD)/grading)"
	rm -rf $(BUILD)

# LABS=lab2 PART=banks on the command line narrow what is checked to these.
NARROWED := $(foreach name,LABS PART,'$(if $(filter command,$(origin $(name))),$($(name)))')
UNIT_TESTS := matrix simulator harness testing verdict
test: ready
	$(if $(SOLUTIONS),$(call known_alone,make test,LABS PART ATTACKS CLASS TWICE JOBS RELEASES))
	$(if $(SOLUTIONS),@$(PYTHON) -B common/checks/chosen.py $(NARROWED))
	@$(PARALLEL) $(COUNTED) $(MAKE) --no-print-directory libraries units \
	    $(if $(SOLUTIONS),faults shared_by_checks) || { cat common/setup/not_built.txt; exit 1; }
	@$(if $(SOLUTIONS),"$$(common/setup/python.sh pytest xdist yaml)" -B common/checks/run.py \
	    --narrowed $(NARROWED),UNIT_TESTS='$(UNIT_TESTS)' $(PYTHON) -B common/checks/check_copy.py $(LABS))

# The unit tests of common/, and what several checks need, which run at the same time.
units: $(UNIT_TESTS:%=$(BUILD)/test_%)
	@:
LAB_FOLDERS := $(foreach lab,$(ALL_LABS),$(addprefix $(lab),/ /*/))
LAB_TESTS := $(call objects,$(wildcard $(foreach folder,$(LAB_FOLDERS),\
                 $(folder)test_*.cpp solutions/hidden/$(folder)test_*.cpp)))
shared_by_checks: $(LAB_TESTS) $(call objects,$(wildcard lab*/main.cpp) common/plots/part_run.cpp)
WITH_CATCH := $(LAB_TESTS) $(call of_room,$(UNIT_TESTS:%=%/tests))
$(WITH_CATCH): CATCH_FIRST := $(INCLUDE_CATCH)
$(WITH_CATCH): $(TEST_PRELUDE)
$(BUILD)/cu/%.cpp: %.cu $(TRANSLATE)
	@mkdir -p $(@D)
	@$(TRANSLATE) $< $@.new && mv $@.new $@
$(BUILD)/cu/%.o: $(BUILD)/cu/%.cpp $(KERNEL_PRELUDE)
	@echo "  compile  $*.cu"
	@$(CXX) $(KERNEL_FLAGS) $(INCLUDE_CUDA) -iquote $(dir $*) -Icommon -c $< -o $@
	@$(HEAR_COPIES) $@
cu_of_room = $(patsubst %.cu,$(BUILD)/cu/%.o,$(wildcard common/$(1)/*.cu))
tests_of = $(call of_room,$(1)/tests) $(call cu_of_room,$(1)/tests)
$(BUILD)/test_matrix: $(call tests_of,matrix)
$(BUILD)/test_simulator: $(call tests_of,simulator) $(filter-out %/token.o,$(TRANSLATOR_OBJECTS))
$(BUILD)/test_harness: $(call tests_of,harness)
$(BUILD)/test_testing: $(call tests_of,testing)
$(BUILD)/test_verdict: $(call tests_of,verdict) $(RECORD_OBJECTS)
# The simulator's objects come first. A template that a .cu file instantiates calls hooks, and must
# not be the one that the simulator uses within a hook.
$(BUILD)/test_%: $(TEST_MAIN) $(TEST_LIB) $(SIM_LIB) $(MATRIX_LIB)
	@echo "  link     $@"
	@$(CXX) $(FAST_LINK) -Wl,--whole-archive $(SIM_LIB) -Wl,--no-whole-archive \
	    $(filter %.o,$^) $(filter %.a,$^) $(CATCH_LIBS) $(SIM_LIBS) -o $@
-include $(shell find $(BUILD)/cu -name '*.d' 2>/dev/null)

# The teacher's; not in a release.
-include common/simulator/peers/rules.mk
-include common/grading/goals.mk

# A goal that is none of these is mistyped.
GOALS += $(TEACHERS_GOALS)
MISTYPED := $(filter-out $(GOALS) ready units libraries shared_by_checks faults \
                bench_programs $(BUILD)/%,$(MAKECMDGOALS))
$(MISTYPED):
	+@$(USAGE) goal '$@' '$(GOALS)'
