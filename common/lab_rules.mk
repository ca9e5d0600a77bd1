# One lab: builds a kernel with the lab's harness and tests, and runs them. Called from the
# repository's root with LAB set; variables are those of the README.

include common/build.mk

DEVICE ?= sim
TILE_WIDTH ?=
SCHEDULE ?=
SOLUTION ?=
KERNEL ?=
PART ?= kernel

# Which file is judged. Each has a build folder of its own, so that switching rebuilds nothing.
ifneq ($(KERNEL),)
SOURCE := $(patsubst $(CURDIR)/%,%,$(KERNEL))
VARIANT := file-$(shell echo '$(KERNEL)' | cksum | cut -d' ' -f1)
else ifneq ($(filter-out 0,$(SOLUTION)),)
SOURCE := solutions/$(LAB)/$(PART).cu
VARIANT := solution-$(PART)
else
SOURCE := $(LAB)/$(PART).cu
VARIANT := $(PART)
endif
VARIANT := $(VARIANT)$(TILE_WIDTH:%=-tile%)

OUT := $(BUILD)/$(DEVICE)/$(LAB)/$(VARIANT)
DEFINES := $(TILE_WIDTH:%=-DTILE_WIDTH=%)
HOST_LIBS := $(TEST_LIB) $(SIM_LIB) $(MATRIX_LIB)
TEST_OBJECTS := $(call objects,$(wildcard $(LAB)/test_*.cpp))
KERNEL_OBJECT := $(OUT)/kernel.o

export LAB_KERNEL := $(SOURCE)
ifneq ($(SCHEDULE),)
export CUSIM_SCHEDULE := $(SCHEDULE)
endif

.PHONY: help test run hint watch figures checked
.DEFAULT_GOAL := help

help:
	@echo 'make test                 build kernel.cu and check it, one fact a line'
	@echo 'make run                  run it once and show what it did'
	@echo 'With any of them: SOLUTION=1, KERNEL=path/to/file.cu, TILE_WIDTH=n,'
	@echo 'SCHEDULE=forward|reverse|random:SEED, DEVICE=sim|gpu'

# Usage is checked before anything is built; make turns the status into 2.
export DEVICE TILE_WIDTH SCHEDULE SOURCE
checked:
	@common/setup/check_variables.sh

$(OUT)/kernel.cpp: $(SOURCE) $(TRANSLATE)
	@mkdir -p $(@D)
	@$(TRANSLATE) '$(SOURCE)' $@.new '$(SOURCE)' && mv $@.new $@

$(KERNEL_OBJECT): $(OUT)/kernel.cpp
	@echo "  compile  $(SOURCE)"
	@$(CXX) $(KERNEL_FLAGS) $(DEFINES) -iquote $(dir $(SOURCE)) -c $< -o $@

$(OUT)/tests: $(KERNEL_OBJECT) $(TEST_OBJECTS) $(TEST_MAIN) $(HOST_LIBS)
	@$(CXX) $^ $(CATCH_LIBS) $(SIM_LIBS) -o $@

$(OUT)/run: $(KERNEL_OBJECT) $(OBJ)/$(LAB)/main.o $(HOST_LIBS)
	@$(CXX) $^ $(SIM_LIBS) -o $@

test: checked $(OUT)/tests
	@echo '$(LAB): $(SOURCE) on the simulated device'
	@$(OUT)/tests

run: checked $(OUT)/run
	@$(OUT)/run $(ARGS)

-include $(wildcard $(OUT)/*.d)
