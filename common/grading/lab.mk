# How the grader judges a file of a lab; included by lab_rules.mk if this folder exists.

.PHONY: objects record replay measured measured_objects
ifeq ($(DEVICE),gpu)
# The program that is timed on a card, and what of it is the same for all files.
MEASURED_OBJECTS := $(call device_objects,common/grading/speed/measured.cpp $(LAB)/timed_call.cpp)
measured: $(OBJECTS) $(MEASURED_OBJECTS)
	@$(NVCC) $(NVCC_FLAGS) $^ -o $(OUT)/$@
measured_objects: $(MEASURED_OBJECTS)
else
include common/verdict/rules.mk

# Answers are no more than numbers, which is seen beside the untouched ones.
UNTOUCHED := $(if $(filter answers,$(CHOSEN)),$(BUILD)/sim/$(LAB)/answers-untouched/answers.o)
$(UNTOUCHED): CODE := $(LAB)/answers.h
-include $(UNTOUCHED:.o=.d)

# Hidden tests have programs of their own, so that what student's code finds in the public ones, and
# spells in results that its author is shown, tells nothing of them. All that is built of them lies in
# two folders, this one and that of their objects, which a sandbox covers.
KINDS := record $(if $(HIDDEN_TESTS),record-hidden)
of_kinds = $(foreach kind,$(KINDS),\
    $(BUILD)/$(if $(filter %-hidden,$(kind)),hidden,sim)/$(LAB)/$(kind:record%=$(1)-$(CHOSEN)%)$(2))
REPLAY := $(call of_kinds,replay)
# All of a recording program but the student's code, without what tells names and lines.
REST := $(call of_kinds,record,.o)
$(filter %-hidden %-hidden.o,$(REPLAY) $(REST)): $(HIDDEN_OBJECTS)
$(firstword $(REPLAY)) $(firstword $(REST)): $(filter-out $(HIDDEN_OBJECTS),$(TEST_OBJECTS))
$(REST): $(RECORDER) $(TEST_MAIN) $(HOST_LIBS) $(HOST_NAMES)
	@mkdir -p $(@D)
	@ld -r $(filter $(TEST_OBJECTS),$^) -o $T.tests && \
	    objcopy --redefine-syms=$(HOST_NAMES) $T.tests && \
	    ld -r --strip-debug $T.tests $(filter-out $(TEST_OBJECTS),$(filter %.o,$^)) \
	        --whole-archive $(filter %.a,$^) -o $T && \
	    nm -u --format=posix $T.tests >$T.wanted && rm $T.tests && mv $T.wanted $@.wanted && \
	    nm --defined-only --extern-only --format=posix $T >$T.names && mv $T.names $@.names && mv $T $@
# Keeps the gate's modules as Python has compiled them, which a sandbox only reads.
COMPILED_GATE := $(abspath $(BUILD))/pycache
GATE_PYTHON := $(PYTHON) -X pycache_prefix=$(COMPILED_GATE)
$(COMPILED_GATE)/made: $(wildcard $(GATE)/*.py)
	@$(GATE_PYTHON) -m compileall -q -l $(GATE) && touch $@
# A file may name its own headers and the system's alone, which no compiler checks.
$(OUT)/named: $(INPUT) $(MEASURED)
	@mkdir -p $(@D)
	@$(GATE_PYTHON) -E -s -S -B $(GATE)/named_files.py $(LAB) $^
	@touch $@
objects: $(OBJECTS) $(OTHERS)
$(if $(filter objects record,$(MAKECMDGOALS)),$(addprefix $(OUT)/,kernel.cpp answers.o): | $(OUT)/named)
# The student's code passes the gate first. Answers bring the kernel on which they are measured.
RECORD := $(addprefix $(OUT)/,$(KINDS))
$(lastword $(RECORD)): $(OBJECTS) $(OTHERS) $(UNTOUCHED) $(REST) $(HOST_NAMES) $(GATE_SYMBOLS) \
        $(wildcard $(GATE)/*.py)
	@$(GATE_PYTHON) -B $(GATE)/gate.py --source '$(or $(MEASURED),$(SOURCE))' --lab $(LAB) \
	    --objects $(OBJECTS) $(if $(UNTOUCHED),--answers '$(SOURCE)' --untouched $(UNTOUCHED)) \
	    --others $(OTHERS) --rest $(REST) --known $(GATE_SYMBOLS) --out $(RECORD) \
	    --host-names $(HOST_NAMES) $(if $(GATED),--gated) \
	    --compiler '$(CXX)' --libraries='$(FAST_LINK) $(LINK_LIBS)' \
	    --flags='$(filter-out -MMD -MP,$(KERNEL_FLAGS)) $(DEFINES)'
record: $(lastword $(RECORD))

# What judges the record, in the folder of the lab. The functions of the student's that the tests
# name are nowhere in it, and never called.
$(REPLAY): $(REPLAYER) $(TEST_MAIN) $(HOST_LIBS)
	@mkdir -p $(@D)
	@$(CXX) -no-pie -Wl,--unresolved-symbols=ignore-in-object-files $(filter %.o,$^) $(filter %.a,$^) \
	    $(LINK_LIBS) -o $T && mv $T $@
# Also all that `record` takes beside the student's file, so that nothing is then written but OUT.
replay: $(REPLAY) $(REST) $(UNTOUCHED) $(GIVEN_OBJECT) $(TRANSLATE) $(GATE_SYMBOLS) \
        $(KERNEL_PRELUDE) $(TEST_PRELUDE) $(COMPILED_GATE)/made
	@echo $(REPLAY)
endif
