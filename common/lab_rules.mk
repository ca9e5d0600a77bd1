# One lab: builds a kernel with the lab's harness and tests, and runs them. Called from the
# repository's root with LAB set; variables are those of the README.
#
# A lab's parts are its .cu files. The tests of kernel.cu lie in the lab's folder, those of any
# other part in the subfolder of its name.

include common/build.mk

DEVICE ?= sim
TILE_WIDTH ?=
SCHEDULE ?=
SOLUTION ?=
KERNEL ?=
PART ?=

# The lab's own kernel comes first: it is what the lab is named after.
PARTS := kernel $(filter-out kernel,$(sort $(patsubst $(LAB)/%.cu,%,$(wildcard $(LAB)/*.cu))))
CHOSEN := $(or $(PART),kernel)

# Which file is judged. Each has a build folder of its own, so that switching rebuilds nothing.
ifneq ($(KERNEL),)
SOURCE := $(patsubst $(CURDIR)/%,%,$(KERNEL))
VARIANT := $(CHOSEN)-file-$(shell echo '$(KERNEL)' | cksum | cut -d' ' -f1)
else ifneq ($(filter-out 0,$(SOLUTION)),)
SOURCE := solutions/$(LAB)/$(CHOSEN).cu
VARIANT := $(CHOSEN)-solution
else
SOURCE := $(LAB)/$(CHOSEN).cu
VARIANT := $(CHOSEN)
endif
VARIANT := $(VARIANT)$(TILE_WIDTH:%=-tile%)

OUT := $(BUILD)/$(DEVICE)/$(LAB)/$(VARIANT)
DEFINES := $(TILE_WIDTH:%=-DTILE_WIDTH=%)
HOST_LIBS := $(TEST_LIB) $(SIM_LIB) $(MATRIX_LIB)
TEST_FOLDER := $(LAB)$(patsubst %,/%,$(filter-out kernel,$(CHOSEN)))
TEST_OBJECTS := $(call objects,$(wildcard $(TEST_FOLDER)/test_*.cpp))
KERNEL_OBJECT := $(OUT)/kernel.o

export LAB_KERNEL := $(SOURCE)
ifneq ($(SCHEDULE),)
export CUSIM_SCHEDULE := $(SCHEDULE)
endif

.PHONY: help test run hint watch figures checked
.DEFAULT_GOAL := help

help:
	@echo 'make test                 check every exercise file, one fact a line'
	@echo 'make test PART=name       only name.cu; here: $(PARTS)'
	@echo 'make run                  run kernel.cu once and show what it did'
	@echo 'With any of them: SOLUTION=1, KERNEL=path/to/file.cu, TILE_WIDTH=n,'
	@echo 'SCHEDULE=forward|reverse|random:SEED, DEVICE=sim|gpu'

# Usage is checked before anything is built; make turns the status into 2.
export DEVICE TILE_WIDTH SCHEDULE SOURCE CHOSEN
checked:
ifeq ($(filter $(CHOSEN),$(PARTS)),)
	@echo "PART=$$CHOSEN: $(LAB) has no such part; it has $(PARTS)." >&2; exit 2
endif
	@common/setup/check_variables.sh

$(OUT)/kernel.cpp: $(SOURCE) $(TRANSLATE)
	@mkdir -p $(@D)
	@$(TRANSLATE) '$(SOURCE)' $@.new '$(SOURCE)' && mv $@.new $@

$(KERNEL_OBJECT): $(OUT)/kernel.cpp
	@echo "  compile  $(SOURCE)"
	@$(CXX) $(KERNEL_FLAGS) $(DEFINES) -iquote $(dir $(SOURCE)) -c $< -o $@
	@$(HEAR_COPIES) $@

$(OUT)/tests: $(KERNEL_OBJECT) $(TEST_OBJECTS) $(TEST_MAIN) $(HOST_LIBS)
	@$(CXX) $^ $(CATCH_LIBS) $(SIM_LIBS) -o $@

$(OUT)/run: $(KERNEL_OBJECT) $(OBJ)/$(LAB)/main.o $(HOST_LIBS)
	@$(CXX) $^ $(SIM_LIBS) -o $@

ifeq ($(PART)$(KERNEL),)
# Every part, also behind one that fails or does not compile.
test: checked
	@status=0; \
	for part in $(PARTS); do \
	    [ $$part = kernel ] || echo; \
	    $(MAKE) --no-print-directory -f common/lab_rules.mk PART=$$part test || status=1; \
	done; \
	exit $$status
else
test: checked $(OUT)/tests
	@echo '$(LAB): $(SOURCE) on the simulated device'
	@$(OUT)/tests
endif

ifeq ($(CHOSEN),kernel)
run: checked $(OUT)/run
	@$(OUT)/run $(ARGS)
else
run: checked
	@echo "PART=$$CHOSEN: make run is for kernel.cu; use make test PART=$$CHOSEN." >&2; exit 2
endif

-include $(wildcard $(OUT)/*.d)
