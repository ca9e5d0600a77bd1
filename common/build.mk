# Builds everything that runs on the host; included by the root Makefile and by lab_rules.mk. All
# recipes run in the course's root, so that messages show paths from there.

# Disables the built-in rules, which took 80 % of each call.
MAKEFLAGS += --no-builtin-rules
.SUFFIXES:
.SECONDARY:
.DELETE_ON_ERROR:

BUILD := build
# Programs read the compilers' messages, which must be English.
export LANGUAGE := en
# make's own default does not count as a choice.
CXX := $(if $(filter default,$(origin CXX)),g++,$(CXX))
# The system's Python comes first, because one on the PATH may be a slow wrapper.
PYTHON := $(or $(wildcard /usr/bin/python3),python3)
STUDENT := $(PYTHON) -E -S common/course/student.py
# The names on make's command line.
GIVEN = $(strip $(foreach name,$(.VARIABLES),$(if $(filter command,$(origin $(name))),$(name))))
on_path = $(firstword $(wildcard $(addsuffix /$(1),$(subst :, ,$(PATH)))))

# An inner make finds the answer in the environment; if it is empty, a compiler may come later.
ifneq ($(HOST_CXX),$(CXX))
export HOST_VERSION := $(shell common/setup/compiler.sh $(CXX))
export HOST_CXX := $(if $(HOST_VERSION),$(CXX))
endif

WARNINGS := -Wall -Wextra -Wshadow -Werror
INCLUDES := -Icommon -I. -Icommon/simulator/include
ifneq ($(findstring clang,$(HOST_VERSION)),)
# libbacktrace's header is among g++'s own.
INCLUDES += -idirafter $(dir $(shell g++ -print-file-name=include/backtrace.h))
HOOKS := -mllvm -tsan-instrument-func-entry-exit=0 -mllvm -tsan-instrument-read-before-write=1 \
         -mllvm -tsan-distinguish-volatile=1
else
# g++ 13 wrongly takes the reference that a function returns for a part of its text argument.
WARNINGS += -Wno-dangling-reference
# So the student's object, and the simulator, can hide a variable of a library's template.
NOT_UNIQUE := -fno-gnu-unique
# Warns if a kernel's variable hides another one of its type; clang++ has no such option.
HIDING := -Wshadow=compatible-local
HOOKS := --param=tsan-instrument-func-entry-exit=0 --param=tsan-distinguish-volatile=1 \
         $(NOT_UNIQUE)
# On x86-64, hear.py adds missing hooks; it cannot read block moves and tables of labels. On other
# processors it only adds gaps between functions.
HEARING := $(wildcard common/simulator/hooks/hear*.py common/simulator/observers/runs.h)
HOOKS += $(if $(findstring x86_64,$(HOST_VERSION)),-mstringop-strategy=libcall -fno-jump-tables)
# Two headers take half of each compilation, and those of the C++ library a quarter of the others.
# So they are compiled once, but not with ccache, which does not recognize a compiled header.
CCACHE := $(findstring ccache,$(CXX) $(realpath $(call on_path,$(firstword $(CXX)))))
TEST_PRELUDE := $(if $(CCACHE),,$(BUILD)/prelude/testing/catch.h.gch)
HOST_PRELUDE := $(if $(CCACHE),,$(BUILD)/prelude/text/library.h.gch)
BRIEF_PRELUDE := $(if $(CCACHE),,$(BUILD)/prelude/brief/text/library.h.gch)
KERNEL_PRELUDE := $(if $(CCACHE),,$(BUILD)/prelude/simulator/include/cuda_runtime.h.gch)
UNSET_PRELUDE := $(if $(CCACHE),,$(BUILD)/prelude/unset/simulator/include/cuda_runtime.h.gch)
UNITS_PRELUDE := $(if $(CCACHE),,$(BUILD)/prelude/simulator/tests/findings_text.h.gch)
endif
# -pipe: /tmp may be small. On arm64, too, a char has a sign and nothing fuses product and sum. A file
# means the same whenever it is compiled: __DATE__ and __TIME__ are those of this second.
export SOURCE_DATE_EPOCH := 0
SAME_DATE := -Wno-builtin-macro-redefined -D__TIMESTAMP__=\"1970\"
COMMON_FLAGS := -std=c++17 -pipe -MMD -MP -fsigned-char -ffp-contract=off $(SAME_DATE)
# No line numbers: reports show only the student's lines, and programs are a third smaller.
# _FORTIFY_SOURCE forbids the long jumps that handle a kernel's crash.
HOST_FLAGS := $(COMMON_FLAGS) -O2 $(NOT_UNIQUE) $(WARNINGS) $(INCLUDES) -U_FORTIFY_SOURCE
# Tests are compiled often and run short.
TEST_FLAGS := $(COMMON_FLAGS) -O0 -g1 $(WARNINGS) $(INCLUDES) -fmacro-prefix-map=./=
# A .cu file for the simulated device: each access calls a hook (see simulator/hooks/hooks.cpp), and
# -O0 keeps the counts those of the source. __CUDACC__ in our header would mislead Catch2.
CHECKED := -O0 -g1 -fsanitize=thread $(HOOKS) -fsanitize=bounds,integer-divide-by-zero,return \
           -fstack-clash-protection -fno-builtin-printf
KERNEL_FLAGS := $(COMMON_FLAGS) -D__CUDACC__ $(CHECKED) -Wall \
                -Wno-unknown-pragmas -Wno-unused -Wno-sign-compare -Wunused-value -Wempty-body $(HIDING) \
                -Icommon/simulator/include
RENAMED := common/simulator/hooks/redirected.syms
KERNEL_STEP = $(LISTED) $(if $(HEARING),-S $< -o $T.s,-c $< -o $T)
HEAR = $(if $(HEARING),$(PYTHON) -E -S -X pycache_prefix=$(BUILD)/pycache $(filter %/hear.py,$(HEARING)) \
       $T.s && $(CXX) -c $T.s -o $T && rm $T.s &&) \
       $(or $(OBJCOPY),objcopy) --redefine-syms=$(RENAMED) $T
# Calls that must not end the program, or that mean something else here.
WRAPPED := exit _exit _Exit quick_exit abort printf vprintf __assert_fail dl_iterate_phdr
SIM_LIBS := $(WRAPPED:%=-Wl,--wrap=%) -lboost_context -lbacktrace -pthread
CATCH_LIBS := $(if $(wildcard $(addsuffix /include/catch2/catch_all.hpp,/usr /usr/local)),-lCatch2)
# gold links a test program in a third of the time. If Catch2 is a library, as on Ubuntu 24.04,
# gold does not find the parts of the C++ library that Catch2 uses.
FAST_LINK := $(if $(CATCH_LIBS),,$(if $(call on_path,ld.gold),-fuse-ld=gold))

# Prints a step of the build while its recipe is expanded, also by make -n: so setup/counting.py sees
# the same lines before and during a build.
step = $(info $()  $(1))
# A recipe writes to its own names and moves these to the target, in one line of shell: simultaneous
# builds of one target do not disturb each other.
T = $@.$$$$
LISTED = -MT $@ -MF $T.d
MOVED = && mv $T.d $(@:.o=.d) && mv $T $@ || { wait; rm -f $T $T.*; exit 1; }

OBJ := $(BUILD)/obj
objects = $(patsubst %.cpp,$(OBJ)/%.o,$(1))
of_room = $(call objects,$(wildcard $(1:%=common/%/*.cpp)))
# The sources of a room that are one compilation: not those with a counterpart for the other device,
# such as device_sim.cpp and device_gpu.cpp, and not the main programs. The reporter needs another
# prelude, the hot hooks another flag, and a program without Catch2 only WITHOUT_CATCH2 of testing.
WITHOUT_CATCH2 := seed outputs device_sim held_stderr_sim
APART := $(addprefix common/,$(patsubst %,testing/%.cpp,main reporter $(WITHOUT_CATCH2)) \
                             simulator/translate/main.cpp simulator/hooks/hooks.cpp)
together = $(filter-out $(APART) %_sim.cpp %_gpu.cpp,$(sort $(wildcard $(1)/*.cpp)))
of_simulator = $(filter-out $(APART),$(sort $(wildcard $(1)/*_sim.cpp)))
MATRIX_LIB := $(BUILD)/libmatrix.a
SIM_LIB := $(BUILD)/libsimulator.a
TEST_LIB := $(BUILD)/libtesting.a
TRANSLATE := $(BUILD)/translate
SHARED_OBJECTS := $(addprefix $(OBJ)/common/,harness/together.o \
                                             $(addprefix testing/,together.o seed.o outputs.o))
# In no library, because the reporter registers itself and no code refers to it by name.
TEST_MAIN := $(addprefix $(OBJ)/common/testing/,main.o reporter.o)
RECORD_OBJECTS := $(addprefix $(OBJ)/common/verdict/record/,report_format.o record_file.o \
                   own_words.o)

$(OBJ)/%.o: %.cpp common/build.mk
	@mkdir -p $(@D)
	$(call step,compile  $<)
	@$(CXX) $(FLAGS) $(LISTED) $(PRELUDE) -c $< -o $T $(MOVED)
$(OBJ)/%: FLAGS := $(HOST_FLAGS)
$(addprefix $(OBJ)/,lab% solutions/hidden/% $(addsuffix %,$(wildcard common/*/tests/ common/*/*/tests/)) \
    $(addprefix common/,testing/reporter.o verdict/record/recorder.o verdict/record/replayer.o)): \
    FLAGS := $(TEST_FLAGS)
# Code that runs once per file, report or test: with -O1 it compiles in two thirds of the time.
BRIEF := harness testing $(addprefix simulator/,api findings explain model program translate)
BRIEF_FLAGS := $(HOST_FLAGS) -O1
$(addprefix $(OBJ)/common/,$(addsuffix /%,$(BRIEF))): FLAGS := $(BRIEF_FLAGS)
# A hook walks up the frames, so all code in its folder has frame pointers. In hooks.o only some
# functions request one; a load's hook does not, and is faster without.
$(OBJ)/common/simulator/hooks/%: FLAGS := $(HOST_FLAGS) -fno-omit-frame-pointer
$(OBJ)/common/simulator/hooks/hooks.o: FLAGS := $(HOST_FLAGS)
# Catch2 is in every program: without its line numbers and with -Og each links in half the time.
$(OBJ)/common/testing/main.o: FLAGS := $(TEST_FLAGS) -g0 -Og

# The tests of a folder are one compilation, in which the last one includes the others; so are most
# rooms. Most of the code of each file is in headers. So tests take a quarter of the time, and the
# simulator half.
test_files = $(sort $(wildcard $(1)/test_*.cpp))
tests_of = $(foreach folder,$(1),$(if $(call test_files,$(folder)),$(OBJ)/$(folder)/tests.o))
in_one = $(patsubst %,-include %,$(filter-out $(lastword $(1)),$(1))) -c $(lastword $(1))
# The last one may be removed; -MP allows that for the others.
may_go = && echo '$(lastword $(1)):' >>$T.d
define compile_in_one
	@mkdir -p $(@D)
	$(call step,compile  $(2))
	@$(CXX) $(FLAGS) $(LISTED) $(PRELUDE) $(call in_one,$(1)) -o $T $(call may_go,$(1)) $(MOVED)
endef
.SECONDEXPANSION:
$(OBJ)/%/tests.o: $$(call test_files,$$*) $(TEST_PRELUDE) common/build.mk
	$(call compile_in_one,$(call test_files,$*),$*/test_*.cpp)
$(OBJ)/%/together.o: $$(call together,$$*) common/build.mk
	$(call compile_in_one,$(call together,$*),$*/*.cpp)
$(OBJ)/%/together_sim.o: $$(call of_simulator,$$*) common/build.mk
	$(call compile_in_one,$(call of_simulator,$*),$*/*_sim.cpp)

# The header that a compilation includes first: the last compiled one among the prerequisites.
PRELUDE = $(patsubst %.gch,-include %,$(lastword $(filter %.gch,$^)))
$(BUILD)/prelude/text/%: FLAGS := $(HOST_FLAGS)
$(BUILD)/prelude/brief/%: FLAGS := $(BRIEF_FLAGS)
$(BUILD)/prelude/testing/%: FLAGS := $(TEST_FLAGS)
$(BUILD)/prelude/simulator/%: FLAGS := $(KERNEL_FLAGS)
$(BUILD)/prelude/simulator/tests/%: FLAGS := $(KERNEL_FLAGS) -Icommon
# The flags of compile_help/collect_warnings.py when it searches for uninitialized variables.
$(KERNEL_PRELUDE): | $(UNSET_PRELUDE)
$(BUILD)/prelude/unset/%: FLAGS := -std=c++17 -MMD -MP -D__CUDACC__ -O1 -Icommon/simulator/include
# The header's name is in a separate file, because #pragma once in a compiled file gets a warning.
# g++ reads that file if it cannot use the compiled one, so every compilation finds the header.
define compile_prelude
	@mkdir -p $(@D)
	$(call step,compile  $<)
	@echo '#include <$(patsubst simulator/include/%,%,$(<:common/%=%))>' >$(@:.gch=)
	@$(CXX) $(FLAGS) $(LISTED) -x c++-header $(@:.gch=) -o $T && mv $T.d $(@:.gch=.d) && mv $T $@
endef
$(BUILD)/prelude/%.gch: common/% common/build.mk
	$(compile_prelude)
$(BUILD)/prelude/brief/%.gch: common/% common/build.mk
	$(compile_prelude)
$(BUILD)/prelude/unset/%.gch: common/% common/build.mk
	$(compile_prelude)

cuda_objects = $(patsubst %.cu,$(BUILD)/cu/%.o,$(wildcard $(1)))
$(BUILD)/cu/%.cpp: %.cu $(TRANSLATE)
	@mkdir -p $(@D)
	@$(TRANSLATE) $< $T && mv $T $@
$(BUILD)/cu/%.o: $(BUILD)/cu/%.cpp $(KERNEL_PRELUDE) $(RENAMED) $(HEARING)
	$(call step,compile  $*.cu)
	@$(CXX) $(KERNEL_FLAGS) $(PRELUDE) -iquote $(dir $*) -Icommon $(KERNEL_STEP) && \
	    $(HEAR) $(MOVED)
# Kernels among unit tests: seven files are one compilation, each file in its own namespace after the
# headers of all. That takes half the time of seven compilations. A set is its words joined by +.
# Removing a file changes only its folder, so the text of a set is made again then; it is kept if it
# has not changed.
joined = $(subst $() $(),+,$(strip $(1)))
split = $(subst +, ,$(1))
sevens = $(if $(1),$(call joined,$(wordlist 1,7,$(1))) \
                   $(call sevens,$(wordlist 8,$(words $(1)),$(1))))
KERNEL_SETS := $(foreach room,$(wildcard common/*/tests),\
                 $(call sevens,$(patsubst %.cu,%,$(sort $(wildcard $(room)/test_*.cu)))))
set_of = $(call split,$(filter $(1)+% $(1),$(KERNEL_SETS)))
kernel_sets = $(foreach set,$(filter $(1)/%,$(KERNEL_SETS)),\
                $(BUILD)/cu/$(firstword $(call split,$(set)))_and_more.o)
$(BUILD)/cu/%_and_more.cpp: $$(foreach file,$$(call set_of,$$*),$(BUILD)/cu/$$(file).cpp) $$(*D)
	@{ grep -h '^#include' $(addsuffix .cu,$(call set_of,$*)) | sort -u; \
	    printf 'namespace of_%s {\n#include "%s.cpp"\n}\n' \
	        $(foreach file,$(notdir $(call set_of,$*)),$(file) $(file)); } >$T; \
	    if cmp -s $T $@; then rm $T; else mv $T $@; fi
$(call cuda_objects,common/simulator/tests/*.cu) $(call kernel_sets,common/simulator/tests): \
    $(UNITS_PRELUDE)

SIM_ROOMS := findings memory observers engine explain hooks model api translate
OF_SIMULATOR := $(SIM_ROOMS:%=$(OBJ)/common/simulator/%/together.o) \
                $(OBJ)/common/simulator/hooks/hooks.o
OF_TESTS := $(SHARED_OBJECTS) $(patsubst %.o,%_sim.o,$(filter %/together.o,$(SHARED_OBJECTS))) \
            $(patsubst %,$(OBJ)/common/testing/%.o,$(filter %_sim,$(WITHOUT_CATCH2)))
is_brief = $(filter $(addprefix $(OBJ)/common/,$(BRIEF:=/%)),$(1))
ROOMS := $(OBJ)/common/matrix/together.o $(OF_SIMULATOR) $(OF_TESTS) \
         $(OBJ)/common/simulator/program/together.o
$(filter-out $(call is_brief,$(ROOMS)),$(ROOMS)) $(call of_room,verdict/host): $(HOST_PRELUDE)
$(call is_brief,$(ROOMS)): $(BRIEF_PRELUDE)
$(MATRIX_LIB): $(OBJ)/common/matrix/together.o
SIMULATOR := $(OBJ)/simulator.o
$(SIMULATOR): $(OF_SIMULATOR)
$(SIM_LIB): $(SIMULATOR)
$(TEST_LIB): $(OF_TESTS)
$(BUILD)/%.a:
	$(call step,archive  $@)
	@ar rcs $T $^ && mv $T $@
$(TRANSLATE): $(addprefix $(OBJ)/common/simulator/translate/,main.o together.o)
# What common/simulator/cusim needs: the runtime of any program, and the options.
CUSIM := $(BUILD)/cusim
$(CUSIM)/ready: $(CUSIM)/runtime.o $(CUSIM)/options $(TRANSLATE)
	@touch $@
$(CUSIM)/runtime.o: $(OBJ)/common/simulator/program/together.o $(SIMULATOR)
# Each is one object with its own copies of the C++ library's templates: those of the code under test
# contain hooks.
OF_LIBRARY := _ZNSt _ZNKSt _ZSt _ZZNSt _ZZNKSt _ZZSt _ZN9__gnu_cxx _ZNK9__gnu_cxx
$(SIMULATOR) $(CUSIM)/runtime.o:
	@mkdir -p $(@D)
	$(call step,link     $@)
	@$(CXX) -r -nostdlib -Wl,--force-group-allocation $^ -o $T && \
	    $(or $(OBJCOPY),objcopy) -w $(OF_LIBRARY:%=--localize-symbol='%*') $T && mv $T $@
$(CUSIM)/options: common/build.mk
	@mkdir -p $(@D)
	@printf '%s\n' 'compiler $(CXX)' 'common -pipe -fsigned-char -ffp-contract=off' \
	    'checked $(CHECKED)' 'libraries $(SIM_LIBS)' 'hear $(filter %/hear.py,$(HEARING))' \
	    'objcopy $(or $(OBJCOPY),objcopy)' >$T && mv $T $@

$(BUILD)/generate: $(OBJ)/datasets/generate.o $(MATRIX_LIB)
$(TRANSLATE) $(BUILD)/generate:
	$(call step,link     $@)
	@$(CXX) $^ -o $T && mv $T $@
.PHONY: libraries
libraries: $(MATRIX_LIB) $(SIM_LIB) $(TEST_LIB) $(TRANSLATE) $(BUILD)/generate \
           $(TEST_PRELUDE) $(KERNEL_PRELUDE)
	@: # prints nothing if there is nothing to do
-include $(shell find $(addprefix $(BUILD)/,cu gpu/obj obj prelude) -name '*.d' 2>/dev/null)
