# What only this lab has; read by lab_rules.mk, and lab.py takes the goals from here.
.PHONY: properties resources

# What the device says of itself, the simulated one or the card.
properties: $(BUILD)/properties-$(DEVICE)
	@$(STUDENT) run_program $< $(LAB) $@
$(BUILD)/properties-$(DEVICE): $(call device_objects,$(LAB)/properties.cpp) $(HOST_LIBS)
	@$(LINK) $^ $(LINK_LIBS) -o $@

# Of the part or file that is named, or of all parts.
resources:
	@ARCH='$(ARCH)' $(PYTHON) -B $(LAB)/resources.py \
	    $(if $(PART)$(KERNEL),'$(SOURCE)',$(dir $(SOURCE)))
