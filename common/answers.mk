# A lab's questions, PART=answers: included by lab_rules.mk. SOURCE is the answers.h that is judged.
# Into its program go the answers, handed out by answers/read.cpp; the kernel.cu on which they are
# measured; and kernels that the questions give, answers/given.cu. That kernel.cu is the lab's own,
# the solution's with SOLUTION=1, also beside KERNEL=path/answers.h, and any other with MEASURED=.

# The questions are about this one, whichever TILE_WIDTH the other parts are tried with.
override TILE_WIDTH := 16
DEFINES := -DTILE_WIDTH=16

GIVEN := $(BUILD)/sim/$(LAB)/answers-given
ifneq ($(MEASURED),)
BESIDE := $(OUT)
else
MEASURED := $(if $(filter-out 0,$(SOLUTION)),solutions/)$(LAB)/kernel.cu
# Of its own: to answer a question compiles no kernel.
BESIDE := $(BUILD)/sim/$(LAB)/answers-beside$(if $(filter-out 0,$(SOLUTION)),-solution)
endif
GIVEN_OBJECT := $(if $(wildcard $(TEST_FOLDER)/given.cu),$(GIVEN)/given.o)
KERNEL_OBJECT := $(OUT)/answers.o $(BESIDE)/kernel.o $(GIVEN_OBJECT)

UNTOUCHED := $(GIVEN)/untouched.o
$(OUT)/answers.o: ANSWERS := $(SOURCE)
$(UNTOUCHED): ANSWERS := $(LAB)/answers.h
$(OUT)/answers.o: $(INPUT)
$(UNTOUCHED): $(LAB)/answers.h
$(OUT)/answers.o $(UNTOUCHED): export RULES := $(COMPILE_HELP)/answers.txt
$(OUT)/answers.o $(UNTOUCHED): $(TEST_FOLDER)/read.cpp
	@mkdir -p $(@D)
	@echo "  compile  $(ANSWERS)"
	@$(call explained,$(CXX) $(TEST_FLAGS) -DANSWERS='"$(ANSWERS)"' -c $< -o $@)

$(BESIDE)/kernel.cpp: CODE := $(MEASURED)
$(BESIDE)/kernel.cpp: $(MEASURED) $(TRANSLATE)
$(GIVEN)/given.cpp: CODE := $(TEST_FOLDER)/given.cu
$(GIVEN)/given.cpp: $(TEST_FOLDER)/given.cu $(TRANSLATE)
$(BESIDE)/kernel.cpp $(GIVEN)/given.cpp:
	@mkdir -p $(@D)
	@$(call explained,$(TRANSLATE) '$(CODE)' $@.new '$(CODE)') && mv $@.new $@

$(BESIDE)/kernel.o: CODE := $(MEASURED)
$(BESIDE)/kernel.o: $(BESIDE)/kernel.cpp $(KERNEL_PRELUDE)
$(GIVEN)/given.o: CODE := $(TEST_FOLDER)/given.cu
$(GIVEN)/given.o: $(GIVEN)/given.cpp $(KERNEL_PRELUDE)
$(BESIDE)/kernel.o $(GIVEN)/given.o:
	@echo "  compile  $(CODE)"
	@LC_ALL=C $(CXX) $(KERNEL_FLAGS) $(INCLUDE_CUDA) $(DEFINES) \
	    -iquote "$$(dirname '$(CODE)')" -c $< -o $@ 2>$(@D)/warnings || \
	    $(EXPLAIN_ERRORS) $$? $(@D)/warnings
	@$(HEAR_COPIES) $@

-include $(wildcard $(BESIDE)/*.d $(GIVEN)/*.d)

