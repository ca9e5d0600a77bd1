# How everything that runs on the host is built; included by the root Makefile and by lab_rules.mk.
# All recipes run in the repository's root, so that messages show paths from there.

# make's own rules, of which none is used, would be tried on each of hundreds of files, in every
# call: that took four fifths of a call.
MAKEFLAGS += --no-builtin-rules
.SUFFIXES:

BUILD := build
# What programs say is read by others that know English.
export LANGUAGE := en
CXX ?= g++
# make's own default is no compiler that anybody chose.
ifeq ($(origin CXX),default)
CXX := g++
endif

# The system's own comes first: one on the PATH may be a slow wrapper, and each test waits for it.
PYTHON := $(or $(wildcard /usr/bin/python3),python3)

# Names on make's command line: $(call mistyped,WHO,KNOWN,FURTHER) refuses others, in the name of WHO.
USAGE := $(PYTHON) -I -S common/course/usage.py
GIVEN = $(foreach name,$(.VARIABLES),$(if $(filter command,$(origin $(name))),$(name)))
STRANGE = $(filter-out $(2) $(3) BUILD CXX PYTHON LAB_% CUSIM_% CCACHE_%,$(GIVEN))
mistyped = $(if $(STRANGE),$(USAGE) names '$(1)' '$(2)' '$(STRANGE)')
# What a student may set for a lab.
LAB_VARIABLES := DEVICE ARCH TILE_WIDTH SCHEDULE PROFILE SOLUTION KERNEL MISTAKE PART TRACE CHECKS \
                 ARGS EXPLAIN TODO AGAIN YES COMPILE_ONLY
mistyped_in_lab = $(call mistyped,$(1),$(LAB_VARIABLES),LAB OUT ADVICE)

# As many jobs as -j says; where it says nothing, as many as the machine has room for.
JOBS = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell common/setup/jobs.sh))
# In front of a make that may build much: says how far it is.
COUNTED := $(PYTHON) -I -S common/setup/counting.py

# What the machine says is asked once: the makes that this one calls find it in the environment.
ifneq ($(HOST_CXX),$(CXX))
# A file dated ahead is newer than all that is built of it, so that each call would build that again.
# It gets today's date; a minute is left to the clocks of shared drives.
$(shell find Makefile common datasets lab* solutions -newermt 'now + 1 minute' \
    -exec touch -c {} + 2>/dev/null)
HOST_VERSION := $(shell $(CXX) --version 2>/dev/null)
HOST_PROGRAM := $(realpath $(shell command -v $(firstword $(CXX)) 2>/dev/null))
HOST_GOLD := $(shell command -v ld.gold 2>/dev/null)
HOST_BACKTRACE_H := $(shell g++ -print-file-name=include/backtrace.h)
HOST_BACKTRACE := $(shell g++ -print-file-name=libbacktrace.a)
# Without an answer, as before make has installed the compiler, they ask again.
HOST_CXX := $(if $(and $(HOST_VERSION),$(HOST_BACKTRACE)),$(CXX))
export HOST_CXX HOST_VERSION HOST_PROGRAM HOST_GOLD HOST_BACKTRACE_H HOST_BACKTRACE
endif

WARNINGS := -Wall -Wextra -Wshadow -Werror
# libbacktrace's header lies among g++'s own, where clang++ does not look.
INCLUDES := -Icommon -I. -Icommon/simulator/include \
            -idirafter $(dir $(HOST_BACKTRACE_H))
# g++ 13 takes what a function of text returns by reference for a part of that text.
ifeq (,$(findstring clang,$(HOST_VERSION)))
WARNINGS += -Wno-dangling-reference
endif
# A pipe to the assembler: the folder for temporary files may have little room.
COMMON_FLAGS := -std=c++17 -pipe
# _FORTIFY_SOURCE refuses the long jumps by which a kernel's crash is survived.
HOST_FLAGS := $(COMMON_FLAGS) -O2 -g1 $(WARNINGS) $(INCLUDES) -U_FORTIFY_SOURCE -MMD -MP
# Tests are compiled often and run short.
TEST_FLAGS := $(COMMON_FLAGS) -O0 -g1 $(WARNINGS) $(INCLUDES) -MMD -MP

# A .cu file for the simulated device: every access calls a hook (see simulator/hooks/hooks.cpp).
# -D__CUDACC__ as nvcc has it; not in our header, where Catch2 would take the compiler for nvcc.
# -O0, so that what is counted is what the source says.
ifneq (,$(findstring clang,$(HOST_VERSION)))
HOOKS := -fsanitize=thread -mllvm -tsan-instrument-func-entry-exit=0 \
         -mllvm -tsan-instrument-read-before-write=1
else
# Without -fno-gnu-unique a variable of a template of the library's could not be hidden in the
# student's object, and would collide with the tests' own.
HOOKS := -fsanitize=thread --param=tsan-instrument-func-entry-exit=0 -fno-gnu-unique
endif
KERNEL_FLAGS := $(COMMON_FLAGS) -D__CUDACC__ -O0 -g1 $(HOOKS) -fsanitize=bounds -fstack-clash-protection -Wall -Wno-unknown-pragmas -Wno-unused -Wno-sign-compare -Wunused-value -Wempty-body \
                -ffp-contract=off -fno-builtin-printf -Icommon/simulator/include -MMD -MP

# Half of the compilation of a test is Catch2's header, of a kernel cuda_runtime.h: both are compiled
# once, and included first. Not with ccache, which could not tell whether it has seen such a file,
# nor with clang++, whose precompiled headers g++ would trip over.
ifeq (,$(findstring clang,$(HOST_VERSION))$(findstring ccache,$(CXX) $(HOST_PROGRAM)))
TEST_PRELUDE := $(BUILD)/prelude/catch.h.gch
KERNEL_PRELUDE := $(BUILD)/prelude/cuda.h.gch
INCLUDE_CUDA := -include $(KERNEL_PRELUDE:.gch=)
define include_catch
$(1): private TEST_FLAGS += -include $(TEST_PRELUDE:.gch=)
$(1): $(TEST_PRELUDE)
endef
endif

# For warnings alone, see course/compile_help/collect_warnings.py.
UNSET_FLAGS := -std=c++17 -D__CUDACC__ -Wno-unknown-pragmas -Icommon/simulator/include

# Copies that no hook announces, and functions that store by a pointer (see block_copies.cpp and
# math_results.cpp in simulator/hooks).
HEAR_COPIES := objcopy --redefine-sym memcpy=cusimMemcpy --redefine-sym memmove=cusimMemmove \
               --redefine-sym memset=cusimMemset \
               $(foreach function,frexp modf remquo sincos nan,$(foreach suffix,_ _f, \
                   --redefine-sym $(function)$(suffix:_%=%)=cusimMath_$(function)$(suffix:_%=%)))

# Calls that must not end the program, or that mean something else in a kernel.
WRAPPED := exit _exit _Exit quick_exit abort printf vprintf __assert_fail
SIM_LIBS := $(WRAPPED:%=-Wl,--wrap=%) -lboost_context \
            $(HOST_BACKTRACE) -pthread

OBJ := $(BUILD)/obj
objects = $(patsubst %.cpp,$(OBJ)/%.o,$(1))

MATRIX_LIB := $(BUILD)/libmatrix.a
SIM_LIB := $(BUILD)/libsimulator.a
TEST_LIB := $(BUILD)/libtesting.a
TRANSLATE := $(BUILD)/translate

MATRIX_OBJECTS := $(call objects,$(wildcard common/matrix/*.cpp))
SIM_OBJECTS := $(call objects,$(wildcard $(patsubst %,common/simulator/%/*.cpp,\
                 findings memory observers engine explain hooks api)) common/simulator/translate/token.cpp)
# What the two devices share of the harness and of the tests' library, and what each has of its own.
SHARED_OBJECTS := $(call objects,$(filter-out %_sim.cpp %_gpu.cpp,$(wildcard common/harness/*.cpp)) \
                    $(addprefix common/testing/,lab.cpp outputs.cpp role.cpp seed.cpp))
OWN_SOURCES := common/harness/counters_sim.cpp common/testing/device_sim.cpp
SIM_ALONE_SOURCES := $(addprefix common/testing/,held_stderr_sim.cpp found_sim.cpp lab_sim.cpp)
# Not in a library: the reporter registers itself, so that nothing would ask for it by name.
TEST_MAIN := $(call objects,$(addprefix common/testing/,main.cpp reporter.cpp \
               results_file.cpp failure.cpp blame.cpp todo_of_line.cpp paragraphs.cpp \
               section_to_read.cpp))
# What tests need that record the calls into student code, and those that judge the record: see
# common/verdict/record/README.md.
RECORD_SOURCES := $(addprefix common/verdict/record/,report_format.cpp record_file.cpp)
TRANSLATOR_OBJECTS := $(call objects,$(filter-out %/main.cpp,$(wildcard common/simulator/translate/*.cpp)))

# Catch2 3.x is a library, 2.x is a header.
CATCH_LIBS := $(if $(wildcard /usr/include/catch2/catch_all.hpp \
                 /usr/local/include/catch2/catch_all.hpp),-lCatch2)

# Debian's binutils bring gold, which links a test program in a third of the time. Not where Catch2
# is a library: with Ubuntu 24.04's, gold misses what it takes from the C++ library.
FAST_LINK := $(if $(CATCH_LIBS),,$(if $(HOST_GOLD),-fuse-ld=gold))

.SECONDARY:
.DELETE_ON_ERROR:

define compile
@mkdir -p $(@D)
@echo "  compile  $<"
@$(CXX) $(1) -c $< -o $@
endef

$(OBJ)/%.o: %.cpp
	$(call compile,$(HOST_FLAGS))
$(addprefix $(OBJ)/common/,testing/main.o testing/reporter.o verdict/record/recorder.o verdict/record/replayer.o): \
    HOST_FLAGS := $(TEST_FLAGS)
# Catch2, in every program: nobody asks for its lines, which are a quarter of such a program.
$(OBJ)/common/testing/main.o: HOST_FLAGS += -g0
$(OBJ)/common/matrix/tests/%.o: common/matrix/tests/%.cpp
	$(call compile,$(TEST_FLAGS))
$(OBJ)/common/testing/tests/%.o: common/testing/tests/%.cpp
	$(call compile,$(TEST_FLAGS))
$(OBJ)/common/verdict/tests/%.o: common/verdict/tests/%.cpp
	$(call compile,$(TEST_FLAGS))
$(OBJ)/common/harness/tests/%.o: common/harness/tests/%.cpp
	$(call compile,$(TEST_FLAGS))
$(OBJ)/common/simulator/tests/%.o: common/simulator/tests/%.cpp
	$(call compile,$(TEST_FLAGS))
$(OBJ)/lab%.o: lab%.cpp
	$(call compile,$(TEST_FLAGS))
$(OBJ)/solutions/hidden/%.o: solutions/hidden/%.cpp
	$(call compile,$(TEST_FLAGS))

# A file of its own, since #pragma once in the file that is compiled gets a warning.
define precompile
@mkdir -p $(@D)
@echo "  compile  $<"
@echo '#include "$(1)"' >$(@:.gch=)
@$(CXX) $(2) -MF $(@:.gch=.d) -x c++-header $(@:.gch=) -o $@.new && mv $@.new $@
endef
$(BUILD)/prelude/catch.h.gch: common/testing/catch.h
	$(call precompile,testing/catch.h,$(TEST_FLAGS) -MT $@)
$(BUILD)/prelude/cuda.h.gch: common/simulator/include/cuda_runtime.h
	$(call precompile,cuda_runtime.h,$(KERNEL_FLAGS) -MT $@)
-include $(wildcard $(BUILD)/prelude/*.d)

define archive
@echo "  archive  $@"
@rm -f $@ && ar rcs $@ $^
endef

$(MATRIX_LIB): $(MATRIX_OBJECTS)
	$(archive)
$(SIM_LIB): $(SIM_OBJECTS)
	$(archive)
$(TEST_LIB): $(SHARED_OBJECTS) $(call objects,$(OWN_SOURCES) $(SIM_ALONE_SOURCES))
	$(archive)

$(TRANSLATE): $(TRANSLATOR_OBJECTS) $(OBJ)/common/simulator/translate/main.o
	@echo "  link     $@"
	@$(CXX) $^ -o $@

$(BUILD)/generate: $(OBJ)/datasets/generate.o $(MATRIX_LIB)
	@echo "  link     $@"
	@$(CXX) $^ -o $@

.PHONY: libraries
libraries: $(MATRIX_LIB) $(SIM_LIB) $(TEST_LIB) $(TRANSLATE) $(BUILD)/generate \
           $(TEST_PRELUDE) $(KERNEL_PRELUDE)
	@: # says nothing where nothing is to be done

-include $(wildcard $(foreach depth,* */* */*/* */*/*/* */*/*/*/*,$(OBJ)/$(depth)/*.d))
