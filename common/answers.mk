# A lab's questions, PART=answers: included by lab_rules.mk. SOURCE is the answers.h that is judged.
# Into its program go the answers, handed out by answers/read.cpp; the kernel.cu on which they are
# measured, which SOLUTION=1 makes the solution's, also beside KERNEL=path/answers.h; and kernels
# that the questions give, answers/given.cu.

# The questions are about this one, whichever TILE_WIDTH the other parts are tried with.
override TILE_WIDTH := 16
DEFINES := -DTILE_WIDTH=16

MEASURED := $(if $(filter-out 0,$(SOLUTION)),solutions/)$(LAB)/kernel.cu
# Of its own: to answer a question compiles no kernel.
BESIDE := $(BUILD)/sim/$(LAB)/answers-beside$(if $(filter-out 0,$(SOLUTION)),-solution)
KERNEL_OBJECT := $(OUT)/answers.o $(BESIDE)/kernel.o \
                 $(if $(wildcard $(TEST_FOLDER)/given.cu),$(BESIDE)/given.o)

$(OUT)/answers.o: $(TEST_FOLDER)/read.cpp $(SOURCE)
	@mkdir -p $(@D)
	@echo "  compile  $(SOURCE)"
	@$(CXX) $(TEST_FLAGS) -DANSWERS='"$(SOURCE)"' -c $< -o $@

$(BESIDE)/kernel.cpp: $(MEASURED)
$(BESIDE)/given.cpp: $(TEST_FOLDER)/given.cu
$(BESIDE)/%.cpp: $(TRANSLATE)
	@mkdir -p $(@D)
	@$(TRANSLATE) '$(filter %.cu,$^)' $@.new '$(filter %.cu,$^)' && mv $@.new $@
$(BESIDE)/%.o: $(BESIDE)/%.cpp
	@echo "  compile  $(if $(filter kernel,$*),$(MEASURED),$(TEST_FOLDER)/$*.cu)"
	@$(CXX) $(KERNEL_FLAGS) $(DEFINES) -iquote $(dir $(MEASURED)) -iquote $(TEST_FOLDER) -c $< -o $@
	@$(HEAR_COPIES) $@

-include $(wildcard $(BESIDE)/*.d)
