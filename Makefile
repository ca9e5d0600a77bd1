# The course's front door. `make` alone prints help; README.md says more.

include common/build.mk

# A release holds some of the labs, and neither the solutions nor the teacher's goals.
ALL_LABS := $(patsubst %/Makefile,%,$(wildcard lab*/Makefile))
LABS := $(ALL_LABS)
SOLUTIONS := $(if $(wildcard solutions),1)
SHORT_NAMES := $(foreach lab,$(ALL_LABS),$(firstword $(subst _, ,$(lab))))
LAB_NAMES := $(SHORT_NAMES) $(ALL_LABS)
GOALS := help demo test try editor progress hint watch reset figures bench doctor clean $(LAB_NAMES)
STEPS := ready libraries units shared_by_checks
.DEFAULT_GOAL := help

help:
	@common/setup/help.sh $(SHORT_NAMES)

# Installs missing packages if that is allowed, says so, and does nothing the second time.
ready:
	@common/setup/install.sh $(if $(SOLUTIONS),$(if $(filter test check,$(MAKECMDGOALS)),test))
	@$(SAY_UNWRITABLE)
SAY_UNWRITABLE = $(PYTHON) -I -S common/text/uncaught.py $(BUILD)
needs_python = @command -v $(PYTHON) >/dev/null || \
    { echo 'make $@ needs Python 3: sudo apt-get install python3' >&2; exit 2; }
# Refuses names on the command line that a goal does not know.
USAGE := $(STUDENT) usage
known_alone = $(if $(GIVEN),@$(USAGE) names '$(1)' "$(2)" '$(GIVEN)')
# As many jobs as the machine has room for, unless -j is given, and a line that counts the steps.
COUNTED = GNUMAKEFLAGS=-j$(shell common/setup/jobs.sh) $(PYTHON) -I -S common/setup/counting.py

# make lab1 is make -C lab1_naive test. The others are about all labs, or those of LABS. In a release
# `make test` tests the student's files, and `make check` the course itself.
OF_WHAT_SHIPS := $(if $(SOLUTIONS),test,check)
$(LAB_NAMES) $(filter-out $(OF_WHAT_SHIPS),test):
	+@$(STUDENT) lab '' $@ '$(GIVEN)'
try editor progress hint watch reset figures $(if $(SOLUTIONS),,bench):
	@$(STUDENT) lab '' $@ '$(GIVEN)'
demo: ready
	@$(COUNTED) $(MAKE) --no-print-directory libraries
	@$(STUDENT) lab '' demo '$(GIVEN)'
doctor:
	$(needs_python)
	@$(STUDENT) doctor
# A link leads to the grader's copies of the course if they are outside. Files that make reset has
# kept stay.
clean:
	@[ ! -L $(BUILD)/grading ] || rm -rf "$$(readlink $(BUILD)/grading)"
	@[ ! -d $(BUILD) ] || find -H $(BUILD) -mindepth 1 -maxdepth 1 ! -name kept -exec rm -rf {} + \
	    2>/dev/null || { $(SAY_UNWRITABLE) && echo "Another make writes to $(BUILD)/:" \
	    "wait for its end, and give the same command again." >&2; exit 2; }
	@if [ -d $(BUILD)/kept ]; then echo '$(BUILD)/kept stays: it holds what make reset has kept.'; \
	    else rm -rf $(BUILD); fi

# LABS=lab2 PART=banks on the command line restrict the checks to these.
NARROWED := $(foreach name,LABS PART,'$(if $(filter command,$(origin $(name))),$($(name)))')
UNIT_TESTS := matrix simulator harness testing verdict
CHECKS := UNIT_TESTS='$(UNIT_TESTS)' $(PYTHON) -B common/checks/kit/check_copy.py $(LABS)
GOALS += $(OF_WHAT_SHIPS)
$(OF_WHAT_SHIPS): ready
	$(if $(SOLUTIONS),$(call known_alone,make test,LABS PART DRAW JOBS))
	$(if $(SOLUTIONS),@$(PYTHON) -B common/checks/kit/chosen.py $(NARROWED))
	@$(COUNTED) $(MAKE) --no-print-directory libraries units shared_by_checks || \
	    { cat common/setup/not_built.txt; exit 1; }
	@$(CHECKS)

units: $(UNIT_TESTS:%=$(BUILD)/test_%)
shared_by_checks: $(CUSIM)/ready
units shared_by_checks:
	@:
helpers_of = $(filter-out $(call objects,$(call test_files,common/$(1))),$(of_room))
kernels_of = $(filter-out $(call cuda_objects,$(1)/test_*.cu),$(call cuda_objects,$(1)/*.cu))
all_of_room = $(call tests_of,common/$(1)) $(helpers_of) $(call kernel_sets,common/$(1)) \
              $(call kernels_of,common/$(1))
$(call of_room,$(UNIT_TESTS:%=%/tests)): $(TEST_PRELUDE)
$(foreach room,$(UNIT_TESTS),$(eval $(BUILD)/test_$(room): $$(call all_of_room,$(room)/tests)))
$(BUILD)/test_verdict: $(RECORD_OBJECTS)
# The simulator's come first: it must not use a template from a .cu file, which calls hooks.
$(BUILD)/test_%: $(TEST_MAIN) $(TEST_LIB) $(SIM_LIB) $(MATRIX_LIB)
	$(call step,link     $@)
	@$(CXX) $(FAST_LINK) -Wl,--whole-archive $(SIM_LIB) -Wl,--no-whole-archive \
	    $(filter %.o,$^) $(filter %.a,$^) $(CATCH_LIBS) $(SIM_LIBS) -o $T && mv $T $@

# The teacher's; not in a release.
-include common/grading/goals.mk
# Any other goal is mistyped, even if a file or a folder has its name.
MISTYPED := $(filter-out $(GOALS) $(STEPS) $(BUILD)/%,$(MAKECMDGOALS))
.PHONY: $(GOALS) $(STEPS) $(MISTYPED)
$(MISTYPED):
	+@$(USAGE) goal '$@' '$(GOALS)'
