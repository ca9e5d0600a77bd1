# What forms a verdict outside of the student's process; included for the course and for each lab.
# What records calls into student code, and what judges the record: see verdict/record/README.md.
RECORDER := $(call of_room,verdict/guard verdict/host) $(RECORD_OBJECTS) $(OBJ)/common/verdict/record/recorder.o
REPLAYER := $(RECORD_OBJECTS) $(OBJ)/common/verdict/record/replayer.o
# A student's object is held against these before it is linked with them: see common/verdict/gate.
GATE := common/verdict/gate
GATE_SYMBOLS := $(BUILD)/gate_symbols

# Which function of the runtime has which stub, that asks for it from the process of the host.
HOST_NAMES := $(BUILD)/host_names

$(HOST_NAMES): $(OBJ)/common/verdict/host/stubs.o $(SIM_LIB) common/verdict/host/host_names.py
	@$(PYTHON) -B common/verdict/host/host_names.py $T $(filter %.o %.a,$^) && mv $T $@
$(GATE_SYMBOLS): $(TEST_MAIN) $(RECORDER) $(TEST_LIB) $(SIM_LIB) $(MATRIX_LIB) \
                 $(GATE)/known_symbols.py $(wildcard $(addprefix common/simulator/include/,* */*))
	@CXX='$(CXX)' $(PYTHON) -B $(GATE)/known_symbols.py $T $(filter %.o %.a,$^) && mv $T $@
