# What only this lab has; read by lab_rules.mk.
.PHONY: properties resources

# What the device says of itself, the simulated one or the card.
PROPERTIES := $(BUILD)/$(DEVICE)/$(LAB)/properties
PROPERTIES_OBJECT := $(if $(filter gpu,$(DEVICE)),$(call gpu_objects,$(LAB)/properties.cpp),$(call objects,$(LAB)/properties.cpp))
properties: checked $(PROPERTIES)
	@$(or $(call NOT_RUN,$(LAB): properties),$(PROPERTIES))
$(PROPERTIES): $(PROPERTIES_OBJECT) $(HOST_LIBS)
	@mkdir -p $(@D)
	@$(LINK) $^ $(LINK_LIBS) -o $@

# Of all parts, or of the one that PART= or KERNEL= names.
resources: checked
	@ARCH='$(ARCH)' $(PYTHON) -B $(LAB)/resources.py $(if $(PART)$(KERNEL),'$(SOURCE)',$(CODE_PARTS:%=$(dir $(SOURCE))%.cu))
