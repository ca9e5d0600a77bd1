# What forms a verdict outside of the student's process; included for the course and for each lab.
# What records calls into student code, and what judges the record: see verdict/record/README.md.
RECORDER := $(call of_room,verdict/guard) $(RECORD_OBJECTS) $(OBJ)/common/verdict/record/recorder.o
REPLAYER := $(RECORD_OBJECTS) $(OBJ)/common/verdict/record/replayer.o
# A student's object is held against these before it is linked with them: see common/verdict/gate.
GATE := common/verdict/gate
GATE_SYMBOLS := $(BUILD)/gate_symbols

$(GATE_SYMBOLS): $(TEST_MAIN) $(RECORDER) $(TEST_LIB) $(SIM_LIB) $(MATRIX_LIB) \
                 $(GATE)/known_symbols.py $(wildcard $(addprefix common/simulator/include/,* */*))
	@CXX='$(CXX)' $(PYTHON) -B $(GATE)/known_symbols.py $@ $(filter %.o %.a,$^)
