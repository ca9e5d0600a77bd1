# The programs and tests of one lab, LAB. Called from the course's root by common/course/lab.py, and
# by programs with valid arguments. PART names a part, or several.

include common/build.mk

DEVICE ?= sim
PARTS := $(or $(PART),kernel)
SOLVED := $(filter-out 0,$(SOLUTION))
COMPILE_HELP := $(PYTHON) -I -S common/course/compile_help
EXPLAIN_ERRORS = LAB_KERNEL='$(CODE)' $(COMPILE_HELP)/explain.py $(LAB)
# A build's identity is not needed, and takes a tenth of the time of a link.
LINK := $(CXX) $(FAST_LINK) -Wl,--build-id=none
LINK_LIBS := $(CATCH_LIBS) $(SIM_LIBS)
HOST_LIBS := $(TEST_LIB) $(SIM_LIB) $(MATRIX_LIB)
device_objects = $(objects)
tests_on_device = $(tests_of)
# Shows the first error that a compiler finds, with one line of help for a common mistake.
explained = { LC_ALL=C $(1) 2>$T.said; status=$$?; \
    [ ! -s $T.said ] || $(EXPLAIN_ERRORS) $$status $T.said; rm -f $T.said; [ $$status = 0 ] || \
    { rm -f $T $T.*; exit $$status; }; }
include $(if $(filter gpu,$(DEVICE)),common/gpu.mk)

$(foreach part,$(PARTS),$(eval CHOSEN := $(part))$(eval include common/program.mk))

# A known mistake is its part's solution with a patch.
$(BUILD)/mistakes/%$(suffix $(FILE)): solutions/mistakes/%.patch solutions/$(LAB)/$(FILE)
	@$(PYTHON) common/checks/kit/mistakes.py $(subst /, ,$*) >/dev/null

.PHONY: test run tests_program figure_program shared anew $(PARTS:%=test-%)
.DEFAULT_GOAL := test
FACTS := $(BUILD)/facts/$(LAB)$(if $(HIDDEN),-$(subst /,-,$(HIDDEN))).json
$(FACTS): common/course/facts.py $(wildcard $(addsuffix /$(LAB)/lab.toml,. $(HIDDEN)))
	@mkdir -p $(@D)
	@$(STUDENT) facts $(LAB) $(HIDDEN) >$T && mv $T $@ || { rm -f $T; exit 2; }
$(PARTS:%=test-%): test-%: $(FACTS)
	@$(STUDENT) test_part $(LAB) $* $(DEVICE) $(FACTS) $(BUILT) $(OWN) $(LAB_STDERR:%=2>&%)
test: $(PARTS:%=test-%)
run: $(OUT)/run
	@$(STUDENT) run_program $< $(LAB) '$(SOURCE)' $(ARGS) $(LAB_STDERR:%=2>&%)
tests_program: $(OUT)/tests
	@echo $<
figure_program: $(OUT)/run
	@echo $<
shared: $(HOST_LIBS) $(TEST_MAIN) $(call device_objects,$(LAB)/main.cpp)
	@:
$(BUILD)/device_limits: $(call objects,common/plots/device_limits.cpp) $(SIM_LIB)
	@$(CXX) $^ $(SIM_LIBS) -o $T && mv $T $@

# The teacher's; not in a release.
-include common/grading/lab.mk
# Goals that only this lab has.
-include $(LAB)/rules.mk
