# One lab: builds a kernel with the lab's harness and tests, and runs them. Called from the
# repository's root with LAB set; variables are those of the README.
#
# A lab's parts are its .cu files and, last, its questions, which are answered in answers.h. The
# tests of kernel.cu lie in the lab's folder, those of any other part in the subfolder of its name.

include common/build.mk

comma := ,
DEVICE ?= sim
ifeq ($(DEVICE),gpu)
include common/gpu.mk
endif
TILE_WIDTH ?=
SCHEDULE ?=
PROFILE ?=
SOLUTION ?=
KERNEL ?=
PART ?=
TRACE ?=
CHECKS ?=
ADVICE ?=

MISTAKE ?=

# The lab's own kernel comes first: it is what the lab is named after.
CODE_PARTS := kernel $(filter-out kernel,$(sort $(patsubst $(LAB)/%.cu,%,$(wildcard $(LAB)/*.cu))))
PARTS := $(CODE_PARTS) $(if $(wildcard $(LAB)/answers.h),answers)
CHOSEN := $(or $(PART),kernel)

# A known mistake is its part's solution with a patch, see common/checks/mistakes.py.
FILE := $(CHOSEN)$(if $(filter answers,$(CHOSEN)),.h,.cu)
ifneq ($(MISTAKE),)
KERNEL := $(BUILD)/mistakes/$(LAB)/$(CHOSEN)/$(MISTAKE)$(suffix $(FILE))
endif
$(BUILD)/mistakes/$(LAB)/%$(suffix $(FILE)): solutions/mistakes/$(LAB)/%.patch solutions/$(LAB)/$(FILE)
	@$(PYTHON) common/checks/mistakes.py $(LAB) $(subst /, ,$*) >/dev/null

# Only what a student's own file does, as it ships otherwise, counts for `make progress`.
OWN := $(if $(filter-out 0,$(SOLUTION))$(KERNEL)$(TILE_WIDTH)$(SCHEDULE)$(PROFILE)$(ARCH)$(filter-out sim,$(DEVICE)),,yes)

# Which file is judged. Each has a build folder of its own, so that switching rebuilds nothing.
ifneq ($(KERNEL),)
SOURCE := $(subst $(CURDIR)/,,$(KERNEL))
KERNEL_NUMBER := $(shell echo '$(KERNEL)' | cksum | cut -d' ' -f1)
VARIANT := $(CHOSEN)-file-$(KERNEL_NUMBER)
else ifneq ($(filter-out 0,$(SOLUTION)),)
SOURCE := solutions/$(LAB)/$(FILE)
VARIANT := $(CHOSEN)-solution
else
SOURCE := $(LAB)/$(FILE)
VARIANT := $(CHOSEN)
endif
# The same file, by a name that make can take: a blank would end it, a colon or a % mean something.
INPUT := $(SOURCE)
ifneq ($(words $(SOURCE))$(findstring :,$(SOURCE))$(findstring %,$(SOURCE)),1)
INPUT := $(BUILD)/named/$(KERNEL_NUMBER)
$(shell mkdir -p $(BUILD)/named; ln -sfn "$$(realpath -ms '$(SOURCE)')" $(INPUT))
endif
# A folder of the teacher's with further tests, laid out as the labs are: see solutions/hidden.
HIDDEN ?=
VARIANT := $(VARIANT)$(if $(HIDDEN),-hidden)$(TILE_WIDTH:%=-tile%)$(ARCH:%=-sm%)

OUT := $(BUILD)/$(DEVICE)/$(LAB)/$(VARIANT)
DEFINES := $(TILE_WIDTH:%=-DTILE_WIDTH=%)
TEST_FOLDER := $(LAB)$(patsubst %,/%,$(filter-out kernel,$(CHOSEN)))
TESTS := $(wildcard $(TEST_FOLDER)/test_*.cpp $(HIDDEN:%=%/$(TEST_FOLDER)/test_*.cpp))
KERNEL_OBJECT := $(OUT)/kernel.o

export LAB_KERNEL := $(SOURCE)
# Whose tests the results file speaks of (see testing/results_file.h).
export LAB_PART := $(LAB)/$(CHOSEN)
ifneq ($(SCHEDULE),)
export CUSIM_SCHEDULE := $(SCHEDULE)
endif
ifneq ($(PROFILE),)
export CUSIM_PROFILE := $(PROFILE)
endif

# A verdict needs all checks, so that only `run` leaves some out.
ifneq ($(TRACE),)
run: export CUSIM_TRACE := $(TRACE)
endif
ifneq ($(CHECKS),)
run: export CUSIM_CHECKS := $(CHECKS)
endif

.PHONY: help test first_build shared judged run hint watch progress reset figures sanitize tests_program programs checked
.DEFAULT_GOAL := help

help:
	@echo 'make test                 check every exercise file, one fact a line'
	@echo 'make test PART=name       only that part; here: $(PARTS)'
	@echo 'make test EXPLAIN=all     explain every failed test, not only the first'
	@echo 'make progress             which TODOs are done, which is next, which are open'
	@echo 'make hint                 a hint for the next TODO; TODO=3 for another,'
	@echo '                          AGAIN=1 shows the last one again'
	@echo 'make watch                tests whenever you save, until Ctrl-C'
	@echo 'make reset PART=name      the skeleton back in the place of name.cu'
	@echo 'make run                  run kernel.cu once and show what it did'
	@echo 'make run ARGS=--help      how to run it on other data sets'
	@echo 'make sanitize             what compute-sanitizer finds on a real GPU'
	@echo 'make figures              pictures of what your kernels do, to build/figures'
	@echo 'With any of them: $(if $(wildcard solutions),SOLUTION=1$(comma) )KERNEL=path/to/file.cu, TILE_WIDTH=n,'
	@echo 'SCHEDULE=forward|reverse|random:SEED, DEVICE=sim|gpu, ARCH=90'
	@echo 'DEVICE=gpu COMPILE_ONLY=1 compiles and links, runs nothing, needs no card'
	@echo 'PROFILE=name simulates another device, with its limits: 8800gtx, cc12,'
	@echo 'device-d, maxwell, turing, v100, h200; or the default one'
	@echo 'make run TRACE=file.csv   who touched what when, of a small launch'
	@echo 'make run CHECKS=list      only these: counters,races,unset,warps or none'

# Usage is checked before anything is built; make turns the status into 2.
UNUSUAL := $(filter-out sim,$(DEVICE))$(filter-out 1,$(SOLUTION))$(filter-out all,$(EXPLAIN))$(ARCH)
UNUSUAL := $(UNUSUAL)$(COMPILE_ONLY)$(TILE_WIDTH)$(SCHEDULE)$(PROFILE)
export LAB SOLUTION DEVICE ARCH COMPILE_ONLY TILE_WIDTH SCHEDULE PROFILE SOURCE CHOSEN
NO_SUCH := $(if $(MISTAKE),$(if $(wildcard solutions/mistakes/$(LAB)/$(CHOSEN)/$(MISTAKE).patch),,$(MISTAKE)))
checked: $(if $(NO_SUCH),,$(filter $(BUILD)/mistakes/%,$(SOURCE)))
ifneq ($(NO_SUCH),)
	@echo "MISTAKE=$(NO_SUCH): not among the patches in solutions/mistakes/$(LAB)/$(CHOSEN)." >&2; exit 2
endif
ifeq ($(filter $(CHOSEN),$(PARTS)),)
	@echo "PART=$$CHOSEN: $(LAB) has no such part; it has $(PARTS)." >&2; exit 2
endif
	@$(call mistyped_in_lab,$(LAB))
	@$(if $(UNUSUAL),,[ -f "$$SOURCE" ] && [ -r "$$SOURCE" ] ||) $(USAGE) values

ifeq ($(DEVICE),gpu)
DEVICE_NAME = $(shell common/setup/cuda.sh card | cut -d, -f1)
# What the simulator counted is asked on the simulator alone.
TESTS := $(filter-out %_sim.cpp,$(TESTS))
TEST_OBJECTS := $(call gpu_objects,$(TESTS))
$(TEST_OBJECTS): private NVCC_HOST_FLAGS += $(TEST_PRELUDE:%.gch=-include %)
$(TEST_OBJECTS): $(TEST_PRELUDE)
MAIN_OBJECT := $(call gpu_objects,$(LAB)/main.cpp)
LINK := $(NVCC) $(NVCC_FLAGS)
LINK_LIBS := $(GPU_LIBS)
HOST_LIBS := $(GPU_TEST_LIB) $(MATRIX_LIB)
explained = $(1)

$(KERNEL_OBJECT): $(INPUT)
	@mkdir -p $(@D)
	@echo "  nvcc     $(SOURCE)"
	@$(NVCC) $(NVCC_FLAGS) $(DEFINES) -MMD -MP -c '$(SOURCE)' -o $@
else
DEVICE_NAME := the simulated device$(PROFILE:%=, profile %)
TEST_OBJECTS := $(call objects,$(TESTS))
$(foreach object,$(TEST_OBJECTS),$(eval $(call include_catch,$(object))))
MAIN_OBJECT := $(call objects,$(LAB)/main.cpp)
LINK := $(CXX) $(FAST_LINK)
LINK_LIBS := $(SIM_LIBS)
# The first error, and one line of help for a common slip of a student's file; and its warnings, which
# every run of its tests shows again.
COMPILE_HELP := common/course/compile_help
EXPLAIN_ERRORS := $(PYTHON) -I -S $(COMPILE_HELP)/explain.py $(LAB)
explained = { LC_ALL=C $(1) 2>$@.said; status=$$?; \
    [ ! -s $@.said ] || $(EXPLAIN_ERRORS) $$status $@.said; [ $$status = 0 ] || exit $$status; }
WARNINGS_FOUND := $(OUT)/warnings
SHOW_WARNINGS = @[ ! -s $(WARNINGS_FOUND) ] || $(PYTHON) -I -S $(COMPILE_HELP)/show_warnings.py $(WARNINGS_FOUND)
HOST_LIBS := $(TEST_LIB) $(SIM_LIB) $(MATRIX_LIB)

ifeq ($(CHOSEN),answers)
include common/answers.mk
else
$(OUT)/kernel.cpp: $(INPUT) $(TRANSLATE)
	@mkdir -p $(@D)
	@$(call explained,$(TRANSLATE) '$(SOURCE)' $@.new '$(SOURCE)') && mv $@.new $@

# A folder that somebody names may hold what came of another file.
ifeq ($(origin OUT),command line)
.PHONY: translated_anew
$(OUT)/kernel.cpp: translated_anew
endif

$(KERNEL_OBJECT): $(OUT)/kernel.cpp $(KERNEL_PRELUDE)
	@echo "  compile  $(SOURCE)"
	@LC_ALL=C $(CXX) $(KERNEL_FLAGS) $(INCLUDE_CUDA) $(DEFINES) \
	    -iquote "$$(dirname '$(SOURCE)')" -c $< -o $@ 2>$(WARNINGS_FOUND) || \
	    $(EXPLAIN_ERRORS) $$? $(WARNINGS_FOUND)
	@$(HEAR_COPIES) $@
	@$(PYTHON) -I -S $(COMPILE_HELP)/collect_warnings.py $(WARNINGS_FOUND) '$(SOURCE)' $< \
	    $(CXX) $(UNSET_FLAGS) $(DEFINES) -iquote "$$(dirname '$(SOURCE)')"
endif
endif

# Which tests there are, from lab.toml: see common/course/facts.py.
FACTS := $(BUILD)/facts/$(LAB)$(subst /,-,$(HIDDEN:%=-%)).json
$(FACTS): common/course/facts.py $(LAB)/lab.toml $(wildcard $(HIDDEN:%=%/$(LAB)/lab.toml))
	@mkdir -p $(@D)
	@$(PYTHON) -I -S $< $(LAB) $(HIDDEN) >$@.$$$$ && mv $@.$$$$ $@
STUDENT := $(PYTHON) -E -S common/course/student.py
RUN := $(DEVICE) $(FACTS) $(CHOSEN)
RUN_TESTS := $(PYTHON) -I -S common/testing/run_tests.py $(RUN)
ifneq ($(OWN),)
# Of what is built: taken before, so that a file saved meanwhile counts as not tested.
JUDGED := $(SOURCE) $(if $(filter answers,$(CHOSEN)),$(LAB)/kernel.cu)
DIGESTS := $(OUT)/judged.sha256
$(DIGESTS): $(JUDGED)
	@mkdir -p $(@D)
	@sha256sum $(JUDGED) >$@
$(OUT)/kernel.cpp $(KERNEL_OBJECT): | $(DIGESTS)
RUN_TESTS := $(STUDENT) keep_results $(LAB) $(CHOSEN) $(DIGESTS) $(RUN)
endif

$(OUT)/tests: $(KERNEL_OBJECT) $(TEST_OBJECTS) $(TEST_MAIN) $(HOST_LIBS)
	@$(call explained,$(LINK) $^ $(CATCH_LIBS) $(LINK_LIBS) -o $@.new) && mv $@.new $@

# What is compiled once, for all labs or for all of this lab's files: lab.mk asks for it where a
# student has built nothing yet.
FIRST_TESTS := $(if $(filter first_build shared,$(MAKECMDGOALS)),$(if $(PART)$(KERNEL),,\
                   $(filter-out $(TESTS),$(wildcard $(LAB)/test_*.cpp $(LAB)/*/test_*.cpp))))
ifeq ($(DEVICE),gpu)
SHARED := $(HOST_LIBS) $(TEST_MAIN) $(TEST_OBJECTS)
else
$(foreach test,$(FIRST_TESTS),$(eval $(call include_catch,$(call objects,$(test)))))
SHARED := $(HOST_LIBS) $(TEST_MAIN) $(TEST_OBJECTS) $(call objects,$(FIRST_TESTS)) $(MAIN_OBJECT) \
          $(TRANSLATE) $(KERNEL_PRELUDE) $(TEST_PRELUDE)
endif
first_build: checked
	@echo 'The first build may take a minute or two; later builds take seconds.'
	@$(COUNTED) $(MAKE) --no-print-directory $(JOBS) -f common/lab_rules.mk shared
shared: $(SHARED)
	@:

$(OUT)/run: $(KERNEL_OBJECT) $(MAIN_OBJECT) $(HOST_LIBS)
	@$(call explained,$(LINK) $^ $(LINK_LIBS) -o $@)

ifeq ($(PART)$(KERNEL),)
# Every part, also behind one that fails or does not compile.
test: checked
	@status=0; \
	for part in $(PARTS); do \
	    [ $$part = kernel ] || echo; \
	    $(MAKE) --no-print-directory -f common/lab_rules.mk PART=$$part ADVICE=no test || status=1; \
	done; \
	$(if $(OWN),$(if $(ADVICE),,echo; $(STUDENT) advice $(LAB);)) \
	exit $$status
else
ifeq ($(TEST_OBJECTS),)
test: checked
	@echo '$(LAB): every test of $(FILE) asks what was counted: nothing to run on a card'
else
ifneq ($(OWN),)
# The student's own files are also built and run by `make watch` and `make progress`. With -n,
# nothing is. TILE_WIDTH: the student's own has none, but the questions set one.
ALONE = $(if $(findstring n,$(filter-out --%,$(firstword -$(MAKEFLAGS)))),,$(PYTHON) -E -S common/course/alone.py $(OUT)/lock)
test: checked
	@$(ALONE) $(MAKE) --no-print-directory -f common/lab_rules.mk TILE_WIDTH= judged
else
test: judged
endif
judged: $(if $(OWN),,checked) $(DIGESTS) $(FACTS) $(OUT)/tests
ifdef NOT_RUN
	@$(call NOT_RUN,$(LAB): $(SOURCE))
else
	@echo '$(LAB): $(SOURCE) on $(DEVICE_NAME)'
	$(SHOW_WARNINGS)
	@$(RUN_TESTS) $(OUT)/tests $(LAB_STDERR:%=2>&%)
endif
endif
endif

ifeq ($(CHOSEN),kernel)
run: checked $(OUT)/run
ifdef NOT_RUN
	@$(call NOT_RUN,$(LAB): $(SOURCE))
else
	$(SHOW_WARNINGS)
	@$(OUT)/run $(ARGS) $(LAB_STDERR:%=2>&%)
endif
else
run: checked
	@echo "PART=$$CHOSEN: make run is for kernel.cu; use make test PART=$$CHOSEN." >&2; exit 2
endif

# What helps a student on the way; see common/course/.
export PART TODO AGAIN YES
progress hint reset watch:
	@$(call mistyped_in_lab,$(LAB))
	@$(STUDENT) $@ $(LAB)

# compute-sanitizer over one file, or over the known mistakes of a part.
MISTAKES ?=
ALL_MISTAKES := $(patsubst solutions/%.patch,$(BUILD)/%$(suffix $(FILE)),\
                    $(sort $(wildcard solutions/mistakes/$(LAB)/$(CHOSEN)/*.patch)))
sanitize: $(if $(filter-out 0,$(MISTAKES)),$(ALL_MISTAKES))
	@$(MAKE) --no-print-directory -f common/lab_rules.mk DEVICE=gpu checked
	@$(STUDENT) sanitize $(LAB) $(CHOSEN) $(if $(filter-out 0,$(MISTAKES)),$^,$(SOURCE))
tests_program: checked $(OUT)/tests
	@echo $(OUT)/tests

programs: checked $(OUT)/tests $(if $(filter kernel,$(CHOSEN)),$(OUT)/run)

# The teacher's; not in a release.
-include common/grading/lab.mk

# Goals that only this lab has.
-include $(LAB)/rules.mk

include common/figures.mk

-include $(wildcard $(OUT)/*.d)
