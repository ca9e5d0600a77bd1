# make figures: pictures of runs, with Python 3 and matplotlib (see common/plots/). Included by
# lab_rules.mk, for one lab.

figures: checked libraries $(BUILD)/device_limits
	@$(PYTHON) -B common/plots/draw.py $(LAB) '$(if $(KERNEL),$(SOURCE))' \
	    '$(or $(PART),$(if $(KERNEL),kernel))' '$(filter-out 0,$(SOLUTION))'

# The program that runs a file once; its path is the last word.
.PHONY: figure_program
ifeq ($(CHOSEN),kernel)
figure_program: checked $(OUT)/run
	@echo $(OUT)/run
else
figure_program: checked $(OUT)/part_run
	@echo $(OUT)/part_run
endif

$(OUT)/part_run: $(KERNEL_OBJECT) $(call objects,common/plots/part_run.cpp) $(HOST_LIBS)
	@$(LINK) $^ $(LINK_LIBS) -o $@

$(BUILD)/device_limits: $(call objects,common/plots/device_limits.cpp) $(SIM_LIB)
	@$(CXX) $^ $(SIM_LIBS) -o $@
