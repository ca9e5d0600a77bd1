# What forms a verdict outside of the student's process; included for the course and for each lab.

<<<<<<< HEAD:common/verdict/rules.mk
# Of a lab's tests these make a program that records the calls into student code, and one that judges
# the record: see common/verdict/record/README.md.
RECORDER := $(call of_room,verdict/guard) $(RECORD_OBJECTS) \
            $(OBJ)/common/verdict/record/recorder.o
REPLAYER := $(RECORD_OBJECTS) $(OBJ)/common/verdict/record/replayer.o
# A student's object is held against these before it is linked with them: see common/verdict/gate.
GATE := common/verdict/gate
=======
# With a lab's tests they make a program that records the calls into student code, and one that
# judges the record: see common/testing/record/README.md.
RECORDER := $(call of_room,grading/guard) $(RECORD_OBJECTS) \
            $(OBJ)/common/testing/record/recorder.o
REPLAYER := $(RECORD_OBJECTS) $(OBJ)/common/testing/record/replayer.o
# A student's object is held against these before it is linked with them: see common/grading/gate.
GATE := common/grading/gate
>>>>>>> h-make:common/grading/verdict.mk
GATE_SYMBOLS := $(BUILD)/gate_symbols

$(GATE_SYMBOLS): $(TEST_MAIN) $(RECORDER) $(TEST_LIB) $(SIM_LIB) $(MATRIX_LIB) \
                 $(GATE)/known_symbols.py $(wildcard $(addprefix common/simulator/include/,* */*))
	@CXX='$(CXX)' $(PYTHON) -B $(GATE)/known_symbols.py $@ $(filter %.o %.a,$^)
