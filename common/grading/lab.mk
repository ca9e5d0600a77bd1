# How the grader judges a file of a lab; included by lab_rules.mk where this folder is.

ifeq ($(DEVICE),gpu)
include common/grading/speed/rules.mk
else
include common/verdict/rules.mk

# The student's code in a recording program, and what is linked beside it.
ifeq ($(CHOSEN),answers)
# The student's kernel passes the gate as any other; the answers are no more than numbers; the other
# kernels are the course's.
GATED_SOURCE := $(MEASURED)
GATED_OBJECT := $(BESIDE)/kernel.o
GATED_BESIDE := $(OUT)/answers.o $(GIVEN_OBJECT)
$(OUT)/record: $(OUT)/answers_passed
$(OUT)/answers_passed: $(OUT)/answers.o $(UNTOUCHED) $(wildcard $(GATE)/*.py)
	@$(GATE)/answers_gate.py --source '$(SOURCE)' --object $(OUT)/answers.o --untouched $(UNTOUCHED)
	@touch $@
# What `record` takes beside the student's files.
replay: $(GIVEN_OBJECT) $(UNTOUCHED)
else
GATED_SOURCE := $(SOURCE)
GATED_OBJECT := $(KERNEL_OBJECT)
GATED_BESIDE :=
endif

# The program that records lies in OUT, the one that judges in the folder of the part.
REPLAY := $(BUILD)/sim/$(LAB)/replay-$(CHOSEN)$(if $(HIDDEN),-hidden)

$(OUT)/gated.o: $(GATED_OBJECT) $(TEST_OBJECTS) $(GATE_SYMBOLS) $(wildcard $(GATE)/*.py)
	@mkdir -p $(@D)
	@$(CXX) $(filter-out -MMD -MP,$(KERNEL_FLAGS)) $(DEFINES) -iquote "$$(dirname '$(GATED_SOURCE)')" \
	    -E $(GATED_OBJECT:.o=.cpp) -o $(OUT)/gated.ii
	@$(GATE)/gate.py --source '$(GATED_SOURCE)' --lab $(LAB) --object $(GATED_OBJECT) \
	    --preprocessed $(OUT)/gated.ii --known $(GATE_SYMBOLS) --tests $(TEST_OBJECTS) --out $@ \
	    --compiler '$(CXX)'

# All of a recording program but the student's code, without what tells names and lines.
RECORD_REST := $(BUILD)/sim/$(LAB)/record-$(CHOSEN)$(if $(HIDDEN),-hidden).o
$(RECORD_REST): $(RECORDER) $(TEST_OBJECTS) $(TEST_MAIN) $(HOST_LIBS)
	@mkdir -p $(@D)
	@ld -r --strip-debug $(filter %.o,$^) --whole-archive $(filter %.a,$^) -o $@.new
	@mv $@.new $@

# The stack holds no code, nothing is written to the tables of the loader, and no name is left by
# which the student's code could find the recorder's.
$(OUT)/record: $(OUT)/gated.o $(GATED_BESIDE) $(RECORD_REST)
	@$(CXX) -Wl,-z,noexecstack -Wl,-z,relro -Wl,-z,now $(filter %.o,$^) $(CATCH_LIBS) $(SIM_LIBS) -o $@.new
	@$(PYTHON) -B $(GATE)/strip_names.py $@.new $(RECORD_REST) $(filter-out $(RECORD_REST),$(filter %.o,$^))
	@mv $@.new $@

# The functions of the student's that the tests name are nowhere in it, and never called.
$(REPLAY): $(REPLAYER) $(TEST_OBJECTS) $(TEST_MAIN) $(HOST_LIBS)
	@mkdir -p $(@D)
	@$(CXX) -no-pie -Wl,--unresolved-symbols=ignore-in-object-files $^ $(CATCH_LIBS) $(SIM_LIBS) -o $@

.PHONY: record replay
record: checked $(OUT)/record
# Also all that `record` takes beside the student's file, so that nothing is then written but OUT.
replay: checked $(REPLAY) $(RECORD_REST) $(TRANSLATE) $(GATE_SYMBOLS) $(KERNEL_PRELUDE) $(TEST_PRELUDE)
	@echo $(REPLAY)
endif
