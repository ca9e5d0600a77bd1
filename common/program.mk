# One part of a lab, CHOSEN: the judged file, and the programs made from it. Included by lab_rules.mk
# for each part, so that recipes read here only the variables of their target.
# The tests of kernel.cu are in the lab's folder, those of any other part in the subfolder of its
# name. The part `answers` is the lab's questions, which are answered in answers.h.

FILE := $(CHOSEN)$(if $(filter answers,$(CHOSEN)),.h,.cu)
SOURCE := $(or $(subst $(CURDIR)/,,$(KERNEL)),$(if $(SOLVED),solutions/)$(LAB)/$(FILE))
NUMBER := $(if $(KERNEL),$(shell echo '$(KERNEL)' | cksum | cut -d' ' -f1))
# The same file, by a name that make accepts: a blank would end it, a colon or a % has a meaning.
PLAIN := $(filter 1,$(words $(SOURCE))$(findstring :,$(SOURCE))$(findstring %,$(SOURCE)))
INPUT := $(if $(PLAIN),$(SOURCE),$(BUILD)/named/$(NUMBER))
$(if $(PLAIN),,$(shell mkdir -p $(BUILD)/named; ln -sfn "$$(realpath -ms '$(SOURCE)')" $(INPUT)))

# A folder for each judged file, so that switching rebuilds nothing.
VARIANT := $(if $(KERNEL),-file-$(NUMBER))$(if $(SOLVED),-solution)$(if $(HIDDEN),-hidden)
VARIANT := $(VARIANT)$(if $(EXPLORE),-explore)
OUT := $(BUILD)/$(DEVICE)/$(LAB)/$(CHOSEN)$(VARIANT)$(TILE_WIDTH:%=-tile%)$(ARCH:%=-sm%)
$(OUT)/%: CODE := $(SOURCE)
# The questions are about this width, whatever width the other parts use.
TILE := $(if $(filter answers,$(CHOSEN)),16,$(TILE_WIDTH))
$(OUT)/%: DEFINES := $(TILE:%=-DTILE_WIDTH=%)

TEST_FOLDER := $(LAB)$(patsubst %,/%,$(filter-out kernel,$(CHOSEN)))
HIDDEN_TESTS := $(wildcard $(HIDDEN:%=%/$(TEST_FOLDER)/test_*.cpp))
HIDDEN_OBJECTS := $(call device_objects,$(HIDDEN_TESTS))
$(HIDDEN_OBJECTS): $(TEST_PRELUDE)
TEST_OBJECTS := $(strip $(call tests_on_device,$(TEST_FOLDER)) $(HIDDEN_OBJECTS))

ifeq ($(CHOSEN),answers)
# The answers, returned by read.cpp; the kernel that they are compared with, which is the student's
# own or the solution's unless MEASURED names another; and the kernels of the questions.
CUDA_CODE := $(if $(MEASURED),$(OUT),$(BUILD)/sim/$(LAB)/answers-beside$(SOLVED:%=-solution))/kernel
MEASURED := $(or $(MEASURED),$(if $(SOLVED),solutions/)$(LAB)/kernel.cu)
$(CUDA_CODE).%: CODE := $(MEASURED)
CUDA_INPUT := $(MEASURED)
GIVEN_OBJECT := $(call cuda_objects,$(TEST_FOLDER)/given.cu)
OBJECTS := $(or $(GATED),$(CUDA_CODE).o) $(OUT)/answers.o $(GIVEN_OBJECT)
$(OUT)/answers.o: export RULES := common/course/compile_help/answers.txt
$(OUT)/answers.o: $(INPUT)
%/answers.o: $(TEST_FOLDER)/read.cpp
	@mkdir -p $(@D)
	$(call step,compile  $(CODE))
	@$(call explained,$(CXX) $(TEST_FLAGS) $(LISTED) -DANSWERS='"$(CODE)"' -c $< -o $T) $(MOVED)
else
CUDA_CODE := $(OUT)/kernel
# A folder that the user names may contain the build of another file, unless COMPILED is set.
CUDA_INPUT := $(INPUT) $(if $(COMPILED),,$(if $(filter command,$(origin OUT)),anew))
OBJECTS := $(CUDA_CODE).o
endif
ifeq ($(DEVICE),gpu)
$(CUDA_CODE).o: $(CUDA_INPUT)
	$(call nvcc,$(CODE),$(NVCC_FLAGS) $(DEFINES) -I$(LAB) -MMD -MP)
else
$(CUDA_CODE).cpp: $(CUDA_INPUT) $(TRANSLATE)
	@mkdir -p $(@D)
	@$(call explained,$(TRANSLATE) '$(CODE)' $T '$(CODE)') && mv $T $@
# Searches in parallel for faults that g++ does not report; compiles some files again for that.
COMPILE_KERNEL = LC_ALL=C $(CXX) $(KERNEL_FLAGS) $(PRELUDE) $(DEFINES) \
                 -iquote "$$(dirname '$(CODE)')" -iquote $(LAB) $(KERNEL_STEP)
$(CUDA_CODE).o: $(CUDA_CODE).cpp $(KERNEL_PRELUDE) $(RENAMED) $(HEARING) common/build.mk
	$(call step,compile  $(CODE))
	@$(COMPILE_HELP)/collect_warnings.py $T.more '$(CODE)' $< $(CXX) $(DEFINES) -iquote $(LAB) & \
	{ $(COMPILE_KERNEL) 2>$T.warnings || $(EXPLAIN_ERRORS) $$? $T.warnings; } && \
	    $(HEAR) && wait $$! && cat $T.more >>$T.warnings && rm $T.more && \
	    mv $T.warnings $(@D)/warnings $(MOVED)
# With other widths of a tile, for the tests of a part that has this header: the file may use a
# number instead of TILE_WIDTH. A file without numbers, or with its own width, is the same with each.
WIDTHS := $(if $(wildcard $(TEST_FOLDER)/other_widths.h),8 32)
OTHERS := $(WIDTHS:%=$(OUT)/width-%.o)
$(OUT)/width-%.o: DEFINES = -w -DTILE_WIDTH=$*
$(OUT)/width-%.o: $(CUDA_CODE).cpp $(CUDA_CODE).o $(KERNEL_PRELUDE)
	@{ sed 's,//.*,,; /# *define TILE_WIDTH/d' '$(CODE)' | \
	      grep -qE '(^|[^.0-9A-Za-z_])(0[xb0-7]|[3-9]|[12][0-9])|#include "' && \
	      $(COMPILE_KERNEL) && $(HEAR); } 2>$T.said || cp $(CUDA_CODE).o $T; mv $T $@ && rm -f $T.*
# Renames their functions, so that all fit into one program and none calls another's functions.
$(OUT)/renamed-%.o: $(OUT)/width-%.o
	@ld -r --force-group-allocation $< -o $T && nm --defined-only --format=posix $T | \
	    sed -nE '/^_ZZ|^[^ ]* [A-Zu-w]/s/^([^ ]*).*/\1 \1.$*/p' >$T.names && \
	    objcopy --redefine-syms=$T.names $T && rm $T.names && mv $T $@
endif
-include $(OBJECTS:.o=.d)

$(if $(EXPLORE),$(eval include common/explorer/explorer.mk))
$(OUT)/tests: $(OBJECTS) $(WIDTHS:%=$(OUT)/renamed-%.o) $(TEST_OBJECTS) $(TEST_MAIN) $(HOST_LIBS)
# The program of `make run`; common/plots traces it, even for parts without this goal.
MAIN := $(if $(filter kernel,$(CHOSEN)),$(LAB)/main.cpp,common/plots/part_run.cpp)
$(OUT)/run: $(OBJECTS) $(call device_objects,$(MAIN)) $(HOST_LIBS)
$(OUT)/tests $(OUT)/run:
	@$(call explained,$(LINK) $^ $(LINK_LIBS) -o $T) && mv $T $@

shared: $(TEST_OBJECTS) $(if $(filter sim,$(DEVICE)),$(TRANSLATE) $(KERNEL_PRELUDE))
test-$(CHOSEN): BUILT := $(OUT) '$(SOURCE)'
test-$(CHOSEN): $(if $(TEST_OBJECTS),$(OUT)/tests)
# `make progress` keeps the results of the student's OWN file. The digest is taken before anything
# is built, so that a file that is saved during the build counts as not tested.
JUDGED := $(if $(OWN),$(OUT)/judged.sha256)
test-$(CHOSEN): $(JUDGED)
$(OUT)/kernel.cpp $(OBJECTS): | $(JUDGED)
$(OUT)/judged.sha256: $(INPUT) $(if $(filter answers,$(CHOSEN)),$(LAB)/kernel.cu)
	@mkdir -p $(@D)
	@sha256sum $^ >$T && mv $T $@
