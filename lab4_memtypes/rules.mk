# What only this lab has; read by lab_rules.mk, and lab.py takes the goals from here.
.PHONY: properties resources

# What the device says of itself, the simulated one or the card.
PROPERTIES := $(BUILD)/$(DEVICE)/$(LAB)/properties
properties: $(PROPERTIES)
	@$(or $(call NOT_RUN,$(LAB): properties),$(SETTINGS) $(PROPERTIES))
$(PROPERTIES): $(call device_objects,$(LAB)/properties.cpp) $(HOST_LIBS)
	@mkdir -p $(@D)
	@$(LINK) $^ $(LINK_LIBS) -o $@

# Of the part or file that is named, or of all parts.
resources:
	@ARCH='$(ARCH)' $(PYTHON) -B $(LAB)/resources.py \
	    $(if $(PART)$(KERNEL),'$(SOURCE)',$(dir $(SOURCE)))
