# One part of a lab, CHOSEN: the file that is judged, and what its programs are made of. Included by
# lab_rules.mk for each part.
#
# The tests of kernel.cu lie in the lab's folder, those of any other part in the subfolder of its
# name. The part `answers` is the lab's questions, which are answered in answers.h.

FILE := $(CHOSEN)$(if $(filter answers,$(CHOSEN)),.h,.cu)
SOURCE := $(or $(subst $(CURDIR)/,,$(KERNEL)),$(if $(SOLVED),solutions/)$(LAB)/$(FILE))
NUMBER := $(if $(KERNEL),$(shell echo '$(KERNEL)' | cksum | cut -d' ' -f1))
# The same file, by a name that make can take: a blank would end it, a colon or a % mean something.
INPUT := $(SOURCE)
ifneq ($(words $(SOURCE))$(findstring :,$(SOURCE))$(findstring %,$(SOURCE)),1)
INPUT := $(BUILD)/named/$(NUMBER)
$(shell mkdir -p $(BUILD)/named; ln -sfn "$$(realpath -ms '$(SOURCE)')" $(INPUT))
endif

# A folder for each file that is judged, so that switching rebuilds nothing. What is said of
# `$(OUT)/%` holds for the recipes that make something there.
VARIANT := $(if $(KERNEL),-file-$(NUMBER),$(if $(SOLVED),-solution))$(if $(HIDDEN),-hidden)
OUT := $(BUILD)/$(DEVICE)/$(LAB)/$(CHOSEN)$(VARIANT)$(TILE_WIDTH:%=-tile%)$(ARCH:%=-sm%)
OUTS += $(OUT)
$(OUT)/%: CODE := $(SOURCE)
# The questions are about this width, whichever the other parts are tried with.
TILE := $(if $(filter answers,$(CHOSEN)),16,$(TILE_WIDTH))
$(OUT)/%: DEFINES := $(TILE:%=-DTILE_WIDTH=%)

TEST_FOLDER := $(LAB)$(patsubst %,/%,$(filter-out kernel,$(CHOSEN)))
TESTS := $(wildcard $(TEST_FOLDER)/test_*.cpp $(HIDDEN:%=%/$(TEST_FOLDER)/test_*.cpp))
TEST_OBJECTS := $(call device_objects,$(TESTS))
TEST_OBJECTS_OF_ALL += $(TEST_OBJECTS)

ifeq ($(CHOSEN),answers)
# The answers, handed out by read.cpp; the kernel on which they are measured, the student's own or
# the solution's where MEASURED names no other; and kernels that the questions give.
BESIDE := $(if $(MEASURED),$(OUT),$(BUILD)/sim/$(LAB)/answers-beside$(if $(SOLVED),-solution))
MEASURED := $(or $(MEASURED),$(if $(SOLVED),solutions/)$(LAB)/kernel.cu)
$(BESIDE)/kernel.%: CODE := $(MEASURED)
$(BESIDE)/kernel.cpp: $(MEASURED)
THERE := $(BUILD)/sim/$(LAB)/answers-given
GIVEN_OBJECT := $(patsubst $(TEST_FOLDER)/%.cu,$(THERE)/%.o,$(wildcard $(TEST_FOLDER)/given.cu))
$(THERE)/given.%: CODE := $(TEST_FOLDER)/given.cu
$(THERE)/given.cpp: $(TEST_FOLDER)/given.cu
KERNEL_OBJECT := $(OUT)/answers.o $(BESIDE)/kernel.o $(GIVEN_OBJECT)
CUDA_CODE += $(BESIDE)/kernel $(GIVEN_OBJECT:.o=)

UNTOUCHED := $(THERE)/untouched.o
$(UNTOUCHED): CODE := $(LAB)/answers.h
$(UNTOUCHED): $(LAB)/answers.h
$(OUT)/answers.o: $(INPUT)
$(OUT)/answers.o $(UNTOUCHED): export RULES := $(COMPILE_HELP)/answers.txt
$(OUT)/answers.o $(UNTOUCHED): $(TEST_FOLDER)/read.cpp
	@mkdir -p $(@D)
	@echo "  compile  $(CODE)"
	@$(call explained,$(CXX) $(TEST_FLAGS) -DANSWERS='"$(CODE)"' -c $< -o $@)
-include $(OUT)/answers.d $(UNTOUCHED:.o=.d)
else
CUDA_CODE += $(OUT)/kernel
KERNEL_OBJECT := $(OUT)/kernel.o
$(KERNEL_OBJECT): WARNS := yes
# A folder that somebody names may hold what came of another file.
ANEW := $(if $(filter command,$(origin OUT)),anew)
$(OUT)/kernel.$(if $(filter gpu,$(DEVICE)),o,cpp): $(INPUT) $(ANEW)
endif

$(OUT)/tests: $(KERNEL_OBJECT) $(TEST_OBJECTS) $(TEST_MAIN) $(HOST_LIBS)
$(OUT)/run: $(KERNEL_OBJECT) $(call device_objects,$(LAB)/main.cpp) $(HOST_LIBS)
$(OUT)/part_run: $(KERNEL_OBJECT) $(call objects,common/plots/part_run.cpp) $(HOST_LIBS)
test-$(CHOSEN): BUILT := $(OUT) '$(SOURCE)'
test-$(CHOSEN): $(if $(TEST_OBJECTS),$(OUT)/tests)
ifneq ($(OWN),)
# The student's own file, of which `make progress` keeps the results. The digest is taken before
# anything is built, so that a file saved meanwhile counts as not tested.
$(OUT)/judged.sha256: $(SOURCE) $(if $(filter answers,$(CHOSEN)),$(LAB)/kernel.cu)
test-$(CHOSEN): $(OUT)/judged.sha256
$(OUT)/kernel.cpp $(KERNEL_OBJECT): | $(OUT)/judged.sha256
endif
