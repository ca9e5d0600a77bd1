# The programs and tests of one lab, LAB. Called from the course's root by common/course/lab.py, and
# by programs that know what they ask. PART names a part, or several.

include common/build.mk

DEVICE ?= sim
HIDDEN ?=
MEASURED ?=
PARTS := $(or $(PART),kernel)
SOLVED := $(filter-out 0,$(SOLUTION))
ifneq ($(SCHEDULE),)
export CUSIM_SCHEDULE := $(SCHEDULE)
endif
ifneq ($(PROFILE),)
export CUSIM_PROFILE := $(PROFILE)
endif

ifeq ($(DEVICE),gpu)
include common/gpu.mk
DEVICE_NAME = $(shell common/setup/cuda.sh card | cut -d, -f1)
LINK := $(NVCC) $(NVCC_FLAGS)
LINK_LIBS := $(GPU_LIBS)
HOST_LIBS := $(GPU_TEST_LIB) $(MATRIX_LIB)
# What the simulator counted is asked on the simulator alone.
device_objects = $(call gpu_objects,$(filter-out %_sim.cpp,$(1)))
explained = $(1)
else
DEVICE_NAME := the simulated device$(PROFILE:%=, profile %)
LINK := $(CXX) $(FAST_LINK)
LINK_LIBS := $(SIM_LIBS)
HOST_LIBS := $(TEST_LIB) $(SIM_LIB) $(MATRIX_LIB)
device_objects = $(objects)
COMPILED_FIRST := $(OBJ)/$(LAB)/main.o $(TRANSLATE) $(KERNEL_PRELUDE) $(TEST_PRELUDE)
# Of what a compiler says, shows the first error, with one line of help for a common slip.
explained = { LC_ALL=C $(1) 2>$@.said; status=$$?; \
    [ ! -s $@.said ] || $(EXPLAIN_ERRORS) $$status $@.said; [ $$status = 0 ] || exit $$status; }
endif
COMPILE_HELP := common/course/compile_help
EXPLAIN_ERRORS := $(PYTHON) -I -S $(COMPILE_HELP)/explain.py $(LAB)
MAIN_OBJECT := $(call device_objects,$(LAB)/main.cpp)

# What the parts' files add to. There `$(OUT)/%:`, of a part's folder, sets variables of the recipes
# below.
OUTS :=
CUDA_CODE :=
ALL_TEST_OBJECTS :=
TESTED :=
define of_part
CHOSEN := $(1)
include common/program.mk
endef
$(foreach part,$(PARTS),$(eval $(call of_part,$(part))))

ifneq ($(DEVICE),gpu)
$(eval $(call catch_first,$(ALL_TEST_OBJECTS)))

# CODE is the .cu file, as messages name it. A kernel's warnings are shown again by each run.
$(CUDA_CODE:=.cpp): $(TRANSLATE)
	@mkdir -p $(@D)
	@$(call explained,$(TRANSLATE) '$(CODE)' $@.new '$(CODE)') && mv $@.new $@
$(CUDA_CODE:=.o): %.o: %.cpp $(KERNEL_PRELUDE)
	@echo "  compile  $(CODE)"
	@LC_ALL=C $(CXX) $(KERNEL_FLAGS) $(INCLUDE_CUDA) $(DEFINES) -iquote "$$(dirname '$(CODE)')" \
	    -c $< -o $@ 2>$(@D)/warnings || $(EXPLAIN_ERRORS) $$? $(@D)/warnings
	@$(HEAR_COPIES) $@
	$(if $(WARNS),@$(PYTHON) -I -S $(COMPILE_HELP)/collect_warnings.py $(@D)/warnings '$(CODE)' \
	    $< $(CXX) $(UNSET_FLAGS) $(DEFINES) -iquote "$$(dirname '$(CODE)')")
-include $(CUDA_CODE:=.d)
endif

# Which tests the lab has, from lab.toml: see common/course/facts.py.
FACTS := $(BUILD)/facts/$(LAB)$(subst /,-,$(HIDDEN:%=-%)).json
$(FACTS): common/course/facts.py $(LAB)/lab.toml $(wildcard $(HIDDEN:%=%/$(LAB)/lab.toml))
	@mkdir -p $(@D)
	@$(PYTHON) -I -S $< $(LAB) $(HIDDEN) >$@.$$$$ && mv $@.$$$$ $@

$(OUTS:=/tests):
	@$(call explained,$(LINK) $^ $(CATCH_LIBS) $(LINK_LIBS) -o $@.new) && mv $@.new $@
$(OUTS:=/run):
	@$(call explained,$(LINK) $^ $(LINK_LIBS) -o $@)
$(OUTS:=/part_run):
	@$(LINK) $^ $(LINK_LIBS) -o $@
$(OUTS:=/judged.sha256):
	@mkdir -p $(@D)
	@sha256sum $^ >$@

# OWN: the student's own file, as it ships otherwise, of which `make progress` keeps the results.
RUN_TESTS = $(if $(OWN),$(STUDENT) keep_results $(LAB) $(CHOSEN) $(@D)/judged.sha256, \
                $(PYTHON) -I -S common/testing/run_tests.py) \
            $(DEVICE) $(FACTS) $(CHOSEN) $(@D)/tests
SHOW_WARNINGS = [ ! -s $(@D)/warnings ] || \
                $(PYTHON) -I -S $(COMPILE_HELP)/show_warnings.py $(@D)/warnings
PAST_FILTER := $(LAB_STDERR:%=2>&%)
$(OUTS:=/tested): $(FACTS)
	@$(or $(call NOT_RUN,$(LAB): $(CODE)),echo '$(LAB): $(CODE) on $(DEVICE_NAME)'; $(SHOW_WARNINGS))
	$(if $(NOT_RUN),,@$(RUN_TESTS) $(PAST_FILTER))
$(OUTS:=/untested):
	@echo '$(LAB): every test of $(notdir $(CODE)) asks what was counted: nothing to run on a card'
$(OUTS:=/ran): %/ran: %/run
	@$(or $(call NOT_RUN,$(LAB): $(CODE)),$(SHOW_WARNINGS); $< $(ARGS) $(PAST_FILTER))
# A line between the reports of two parts.
$(OUTS:=/begun):
	$(if $(filter $(CHOSEN),$(firstword $(PARTS))),,@echo)

.PHONY: test run tests_program programs shared figures figure_program anew \
        $(foreach goal,tested untested ran begun,$(OUTS:=/$(goal)))
.DEFAULT_GOAL := test
ifneq ($(word 2,$(PARTS)),)
.NOTPARALLEL:
endif
test: $(TESTED)
run: $(OUT)/ran
# A verdict needs all checks, so that only `run` leaves some out.
ifneq ($(TRACE),)
run: export CUSIM_TRACE := $(TRACE)
endif
ifneq ($(CHECKS),)
run: export CUSIM_CHECKS := $(CHECKS)
endif
tests_program: $(OUT)/tests
	@echo $<
programs: $(OUT)/tests $(if $(filter kernel,$(CHOSEN)),$(OUT)/run)
	@:
# What is compiled once, for all of the lab's files.
shared: $(HOST_LIBS) $(TEST_MAIN) $(ALL_TEST_OBJECTS) $(COMPILED_FIRST)
	@:

# Pictures of runs, with Python 3 and matplotlib: see common/plots. `figure_program` prints the path
# of the program that runs a file once.
figures: libraries $(BUILD)/device_limits
	@$(PYTHON) -B common/plots/draw.py $(LAB) '$(if $(KERNEL),$(SOURCE))' \
	    '$(or $(PART),$(if $(KERNEL),kernel))' '$(SOLVED)'
figure_program: $(OUT)/$(if $(filter-out kernel,$(CHOSEN)),part_)run
	@echo $<
$(BUILD)/device_limits: $(call objects,common/plots/device_limits.cpp) $(SIM_LIB)
	@$(CXX) $^ $(SIM_LIBS) -o $@

# The teacher's; not in a release.
-include common/grading/lab.mk
# Goals that only this lab has.
-include $(LAB)/rules.mk
