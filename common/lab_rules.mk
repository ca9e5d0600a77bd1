# The programs and tests of one lab, LAB. Called from the course's root by common/course/lab.py, and
# by programs that know what they ask. PART names a part, or several.

include common/build.mk

DEVICE ?= sim
PARTS := $(or $(PART),kernel)
SOLVED := $(filter-out 0,$(SOLUTION))
COMPILE_HELP := common/course/compile_help
EXPLAIN_ERRORS := $(PYTHON) -I -S $(COMPILE_HELP)/explain.py $(LAB)
LINK := $(CXX) $(FAST_LINK)
LINK_LIBS := $(SIM_LIBS)
HOST_LIBS := $(TEST_LIB) $(SIM_LIB) $(MATRIX_LIB)
# What is compiled once, beside libraries and tests.
COMPILED_FIRST := $(OBJ)/$(LAB)/main.o $(TRANSLATE) $(KERNEL_PRELUDE) $(TEST_PRELUDE)
device_objects = $(objects)
# Shows the first error that a compiler finds, with one line of help for a common slip.
explained = { LC_ALL=C $(1) 2>$@.said; status=$$?; \
    [ ! -s $@.said ] || $(EXPLAIN_ERRORS) $$status $@.said; [ $$status = 0 ] || exit $$status; }
ifeq ($(DEVICE),gpu)
include common/gpu.mk
endif

# The lists to which the rules of each part add.
OUTS :=
CUDA_CODE :=
TEST_OBJECTS_OF_ALL :=
define of_part
CHOSEN := $(1)
include common/program.mk
endef
$(foreach part,$(PARTS),$(eval $(call of_part,$(part))))

$(TEST_OBJECTS_OF_ALL): CATCH_FIRST := $(INCLUDE_CATCH)
$(TEST_OBJECTS_OF_ALL): $(TEST_PRELUDE)
# A known mistake is its part's solution with a patch.
$(BUILD)/mistakes/$(LAB)/%$(suffix $(FILE)): solutions/mistakes/$(LAB)/%.patch solutions/$(LAB)/$(FILE)
	@$(PYTHON) common/checks/mistakes.py $(LAB) $(subst /, ,$*) >/dev/null
# CODE is the .cu file, as messages name it.
ifeq ($(DEVICE),gpu)
$(CUDA_CODE:=.o):
	$(call nvcc,$(CODE),$(NVCC_FLAGS) $(DEFINES))
else
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
endif
-include $(CUDA_CODE:=.d)

$(OUTS:=/tests):
	@$(call explained,$(LINK) $^ $(CATCH_LIBS) $(LINK_LIBS) -o $@.new) && mv $@.new $@
$(OUTS:=/run):
	@$(call explained,$(LINK) $^ $(LINK_LIBS) -o $@)
$(OUTS:=/part_run):
	@$(LINK) $^ $(LINK_LIBS) -o $@
$(OUTS:=/judged.sha256):
	@mkdir -p $(@D)
	@sha256sum $^ >$@

.PHONY: test run tests_program figure_program shared anew \
        $(PARTS:%=test-%) $(PARTS:%=begin-%)
.DEFAULT_GOAL := test
# Reports of several parts come one after the other, with a line between them.
ifneq ($(word 2,$(PARTS)),)
.NOTPARALLEL:
endif
$(PARTS:%=begin-%):
	$(if $(filter $@,begin-$(firstword $(PARTS))),,@echo)
# The simulated device takes its settings from the environment.
SETTINGS := $(SCHEDULE:%=CUSIM_SCHEDULE=%) $(PROFILE:%=CUSIM_PROFILE=%)
PAST_FILTER := $(LAB_STDERR:%=2>&%)
$(PARTS:%=test-%): test-%: begin-%
	@$(SETTINGS) $(STUDENT) test_part $(LAB) $* $(DEVICE) $(BUILT) $(OWN) $(PAST_FILTER)
test: $(PARTS:%=test-%)
# A verdict needs all checks, so that only `run` leaves some out.
run: $(OUT)/run
	@$(or $(call NOT_RUN,$(LAB): $(SOURCE)),\
	    [ ! -s $(OUT)/warnings ] || $(PYTHON) -I -S $(COMPILE_HELP)/show_warnings.py $(OUT)/warnings; \
	    LAB_KERNEL='$(SOURCE)' $(SETTINGS) $(if $(TRACE),CUSIM_TRACE='$(TRACE)') \
	    $(if $(CHECKS),CUSIM_CHECKS='$(CHECKS)') $< $(ARGS) $(PAST_FILTER))
tests_program: $(OUT)/tests
	@echo $<
shared: $(HOST_LIBS) $(TEST_MAIN) $(TEST_OBJECTS_OF_ALL) $(COMPILED_FIRST)
	@:

# The program that makes a trace of a file, for common/plots.
figure_program: $(OUT)/$(if $(filter-out kernel,$(CHOSEN)),part_)run
	@echo $<
$(BUILD)/device_limits: $(call objects,common/plots/device_limits.cpp) $(SIM_LIB)
	@$(CXX) $^ $(SIM_LIBS) -o $@

# The teacher's; not in a release.
-include common/grading/lab.mk
# Goals that only this lab has.
-include $(LAB)/rules.mk
