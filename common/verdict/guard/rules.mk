# The program that tries what the guard refuses, for test_record.py; included by goals.mk.
$(BUILD)/guard_tries: $(OBJ)/common/verdict/guard/tests/tries.o \
                      $(call objects,$(wildcard common/verdict/guard/*.cpp)) \
                      $(OBJ)/common/verdict/record/record_file.o $(TEST_LIB) $(SIM_LIB) $(MATRIX_LIB)
	@$(CXX) $^ $(SIM_LIBS) -o $@
