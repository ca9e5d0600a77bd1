# The teacher's goals; included by the root Makefile if this folder exists, so not in a release.

include common/verdict/rules.mk

# What several checks need.
CHECKS := common/checks/ring.sh quick $(NARROWED)
# All checks; ONLY='common/checks/test_parts.py -k banks' those that pytest then chooses.
GOALS += check
check: ready
	$(call known_alone,make check,LABS PART DRAW ONLY STYLES MISTAKES ATTACKS CLASS FUZZ TWICE JOBS RELEASES)
	@$(PYTHON) -B common/checks/kit/chosen.py $(NARROWED)
	@$(COUNTED) $(MAKE) --no-print-directory libraries units shared_by_checks || \
	    { cat common/setup/not_built.txt; exit 1; }
	@common/checks/ring.sh full $(NARROWED) $(ONLY)
HIDDEN_OBJECTS := $(call objects,$(wildcard $(addsuffix /test_*.cpp,\
                      solutions/hidden/lab* solutions/hidden/lab*/*)))
$(HIDDEN_OBJECTS): $(TEST_PRELUDE)
LAB_TESTS := $(call tests_of,$(wildcard lab* lab*/*)) $(HIDDEN_OBJECTS)
shared_by_checks: $(LAB_TESTS) $(call objects,$(wildcard lab*/main.cpp) common/plots/part_run.cpp) \
                  $(RECORDER) $(REPLAYER) $(GATE_SYMBOLS) $(BUILD)/guard_tries \
                  $(BUILD)/modelled $(BUILD)/simulated_ladder
$(BUILD)/guard_tries: $(call of_room,verdict/guard/tests verdict/guard) $(RECORD_OBJECTS) \
                      $(TEST_LIB) $(SIM_LIB) $(MATRIX_LIB)
# What the device's process believes of the host's; the guard is up in no test.
$(BUILD)/test_verdict: $(call tests_of,common/verdict/host/tests) $(addprefix $(OBJ)/common/verdict/host/,\
                       copies.o decoys.o handed_over.o launches.o messages.o pending_uses.o \
                       serving.o statics.o)
$(BUILD)/simulator_bench: $(call all_of_room,simulator/bench) $(SIM_LIB)
$(BUILD)/guard_tries $(BUILD)/simulator_bench:
	@mkdir -p $(@D)
	@$(CXX) $^ $(SIM_LIBS) -o $T && mv $T $@

ifeq ($(DEVICE),gpu)
bench:
	@$(PYTHON) -B solutions/lab4_memtypes/ladder/bench/bench.py '$(GIVEN)'
else
bench: ready
	@$(COUNTED) $(MAKE) --no-print-directory libraries $(BUILD)/simulator_bench
	@BUILD='$(BUILD)' CXX='$(CXX)' $(PYTHON) -B common/simulator/bench/bench.py
endif

# Runs the ladder's rungs, with all checks. Launches of the last four stand in a header, which cusim
# translates, too.
LADDER := solutions/lab4_memtypes/ladder
LADDER_SHARED := $(patsubst %.cu,$(CUSIM)/%.o,$(wildcard $(LADDER)/1[1-4]*.cu $(LADDER)/shapes*.cu))
$(LADDER_SHARED): $(CUSIM)/%.o: %.cu $(wildcard $(LADDER)/*.h) $(CUSIM)/ready
	@mkdir -p $(@D)
	$(call step,compile  $<)
	@BUILD='$(BUILD)' common/simulator/cusim -c -I$(LADDER) $< -o $@
$(OBJ)/$(LADDER)/simulated.o: FLAGS += -Wno-unknown-pragmas
$(BUILD)/simulated_ladder: $(call cuda_objects,$(LADDER)/0*.cu $(LADDER)/10*.cu) $(LADDER_SHARED) \
                           $(call objects,$(LADDER)/simulated.cpp) $(SIM_LIB) $(MATRIX_LIB)
	@$(CXX) $(FAST_LINK) $^ $(SIM_LIBS) -o $T && mv $T $@

# Sets the modelled time of a card beside what one has measured.
GOALS += model
MODEL := solutions/model
RUNGS := solutions/lab4_memtypes/ladder/0[1-8]*.cu
ifeq ($(DEVICE),gpu)
model:
	@$(PYTHON) -B $(MODEL)/card_table.py '$(GIVEN)'
else
model: ready
	@$(COUNTED) $(MAKE) --no-print-directory libraries $(BUILD)/modelled
	@$(PYTHON) -B $(MODEL)/card_table.py '$(GIVEN)'
endif
# The cases include the solutions, here what the translator has made of them.
$(BUILD)/model/%: % $(TRANSLATE)
	@mkdir -p $(@D)
	@$(TRANSLATE) $< $T && mv $T $@
MODEL_CASES := $(call cuda_objects,$(MODEL)/cases*.cu)
$(MODEL_CASES): KERNEL_FLAGS += -I$(BUILD)/model -I.
$(MODEL_CASES): $(addprefix $(BUILD)/model/,$(wildcard solutions/lab?_*/*.cu))
$(BUILD)/modelled: $(MODEL_CASES) $(call cuda_objects,$(RUNGS)) \
                   $(call objects,$(MODEL)/modelled.cpp) $(SIM_LIB)
	@$(CXX) $^ $(SIM_LIBS) -o $T && mv $T $@

# Pages to show in class.
GOALS += tours
tours:
	@env -u MAKEFLAGS -u MAKEOVERRIDES -u MAKELEVEL $(PYTHON) -B common/grading/tours.py

# The website. Its kernels are recorded with their local variables, as those of `make explore`;
# --debug is g++'s -g, which cusim does not pass on.
GOALS += site
include common/explorer/explorer.mk
site: ready
	$(call known_alone,make site,OUT TOURS)
	@$(PYTHON) -B common/site/build.py
$(BUILD)/races/%: common/site/races/%.cu $(CUSIM)/ready $(FRAMES)
	@mkdir -p $(@D)
	@common/simulator/cusim -Xcompiler --debug $< -o $@ $(FRAMES) $(FRAMED:%=-Xlinker --wrap=%)

# Runs the package of this folder that is named after the goal; what it is to do stands in the
# environment. A make that it starts gets nothing of this one's command line.
PACKAGES := release similarity gradescope github grade compare
GOALS += $(PACKAGES)
grade: ready
$(PACKAGES):
	$(needs_python)
	$(call known_alone,make $@,$$(sed -n 's/^$@: //p' common/grading/variables.txt))
	@env -u MAKEFLAGS -u MAKEOVERRIDES -u MAKELEVEL PYTHONPATH=common/grading \
	    SEED_SHOWN=$(if $(filter command,$(origin SEED)),1) \
	    PYTHONDONTWRITEBYTECODE=1 $(PYTHON) -m $@
