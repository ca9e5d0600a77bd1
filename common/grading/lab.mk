# How the grader judges a file of a lab; included by lab_rules.mk where this folder is.

.PHONY: record replay measured measured_objects

ifeq ($(DEVICE),gpu)
# The program that is timed on a card, and what of it is the same for all files.
MEASURED_OBJECTS := \
    $(call device_objects,common/grading/speed/measured.cpp $(LAB)/timed_call.cpp)
$(OUT)/measured: $(KERNEL_OBJECT) $(MEASURED_OBJECTS)
	@$(NVCC) $(NVCC_FLAGS) $^ -o $@.new && mv $@.new $@
measured: $(OUT)/measured
measured_objects: $(MEASURED_OBJECTS)
else
include common/verdict/rules.mk

# The student's code passes the gate, and is linked with a recorder. Answers are no more than
# numbers; with them the kernel beside them passes.
GATED := $(firstword $(filter %/kernel.o,$(KERNEL_OBJECT)))
ifeq ($(CHOSEN),answers)
$(OUT)/gated.o: CODE := $(MEASURED)
$(OUT)/record: $(OUT)/answers_passed
$(OUT)/answers_passed: $(OUT)/answers.o $(UNTOUCHED) $(wildcard $(GATE)/*.py)
	@$(GATE)/answers_gate.py --source '$(SOURCE)' --object $(OUT)/answers.o --untouched $(UNTOUCHED)
	@touch $@
# The grader builds `replay` first, and `record` takes these too.
replay: $(GIVEN_OBJECT) $(UNTOUCHED)
endif
$(OUT)/gated.o: $(GATED) $(TEST_OBJECTS) $(GATE_SYMBOLS) $(wildcard $(GATE)/*.py)
	@mkdir -p $(@D)
	@$(CXX) $(filter-out -MMD -MP,$(KERNEL_FLAGS)) $(DEFINES) -iquote "$$(dirname '$(CODE)')" \
	    -E $(GATED:.o=.cpp) -o $(OUT)/gated.ii
	@$(GATE)/gate.py --source '$(CODE)' --lab $(LAB) --object $(GATED) \
	    --preprocessed $(OUT)/gated.ii --known $(GATE_SYMBOLS) --tests $(TEST_OBJECTS) --out $@ \
	    --compiler '$(CXX)'

# `record` lies in OUT; what judges it lies in the folder of the lab.
OF_PART := $(CHOSEN)$(if $(HIDDEN),-hidden)
REPLAY := $(BUILD)/sim/$(LAB)/replay-$(OF_PART)
# All of a recording program but the student's code, without what tells names and lines.
RECORD_REST := $(BUILD)/sim/$(LAB)/record-$(OF_PART).o
$(RECORD_REST): $(RECORDER) $(TEST_OBJECTS) $(TEST_MAIN) $(HOST_LIBS)
	@mkdir -p $(@D)
	@ld -r --strip-debug $(filter %.o,$^) --whole-archive $(filter %.a,$^) -o $@.new
	@mv $@.new $@

# The stack holds no code, nothing is written to the tables of the loader, and no name is left by
# which the student's code could find the recorder's.
$(OUT)/record: $(OUT)/gated.o $(filter-out $(GATED),$(KERNEL_OBJECT)) $(RECORD_REST)
	@$(CXX) -Wl,-z,noexecstack -Wl,-z,relro -Wl,-z,now $(filter %.o,$^) $(CATCH_LIBS) \
	    $(SIM_LIBS) -o $@.new
	@$(PYTHON) -B $(GATE)/strip_names.py $@.new $(RECORD_REST) \
	    $(filter-out $(RECORD_REST),$(filter %.o,$^))
	@mv $@.new $@
# The functions of the student's that the tests name are nowhere in it, and never called.
$(REPLAY): $(REPLAYER) $(TEST_OBJECTS) $(TEST_MAIN) $(HOST_LIBS)
	@mkdir -p $(@D)
	@$(CXX) -no-pie -Wl,--unresolved-symbols=ignore-in-object-files $^ $(CATCH_LIBS) $(SIM_LIBS) -o $@

record: $(OUT)/record
# Also all that `record` takes beside the student's file, so that nothing is then written but OUT.
replay: $(REPLAY) $(RECORD_REST) $(TRANSLATE) $(GATE_SYMBOLS) $(KERNEL_PRELUDE) $(TEST_PRELUDE)
	@echo $(REPLAY)
endif
