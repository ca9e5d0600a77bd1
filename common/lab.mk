# Included by each lab's Makefile, which has set LAB. The work is done from the repository's root
# by lab_rules.mk, so that every path in a message starts there.

# Relative: a path that has a blank in it would be several words to make.
ROOT := $(patsubst %/common/lab.mk,%,$(lastword $(MAKEFILE_LIST)))

# A lab with goals of its own lists them in its rules.mk, as .PHONY.
GOALS := help test run hint watch progress reset figures sanitize \
         $(shell sed -n 's/^\.PHONY: //p' rules.mk 2>/dev/null)
.PHONY: $(GOALS)
.DEFAULT_GOAL := help

# KERNEL=path is relative to the lab, to the folder that make was called in, or to the root. PART
# and the other variables reach lab_rules.mk as they are: make hands on what it was given.
quoted = '$(subst ','\'',$(1))'
NAMED := $(call quoted,$(KERNEL))
KERNEL_FILE := $(if $(KERNEL),$(shell \
    for file in $(NAMED) $(call quoted,$(PWD))/$(NAMED) $(ROOT)/$(NAMED) $(NAMED); do \
        [ ! -f "$$file" ] || break; \
    done; realpath -ms "$$file"))

# A file to write lies where make was called.
TRACE_FILE := $(if $(filter /%,$(TRACE)),$(TRACE),$(PWD)/$(TRACE))

# Others talk with the student.
PYTHON := $(or $(wildcard /usr/bin/python3),python3)
FILTER = $(if $(filter test run,$@),$(PYTHON) -E -S $(ROOT)/common/course/without_make.py)

# A first build says how far it is, which the goals' own output leaves no room for.
FIRST := $(if $(filter gpu,$(DEVICE)),gpu/libtesting.a,libsimulator.a)
BUILT := $(if $(filter /%,$(BUILD)),$(BUILD),$(ROOT)/$(or $(BUILD),build))
FIRST := $(if $(wildcard $(BUILT)/$(FIRST)),,first_build)

RULES = $(FILTER) $(MAKE) --no-print-directory -C $(ROOT) -f common/lab_rules.mk LAB=$(LAB) \
    $(if $(KERNEL),KERNEL=$(call quoted,$(KERNEL_FILE))) $(if $(TRACE),TRACE=$(call quoted,$(TRACE_FILE)))

$(GOALS):
	$(if $(and $(FIRST),$(filter test run watch,$@)),+@$(RULES) $(FIRST))
	+@$(RULES) $@

MISTYPED := $(filter-out $(GOALS),$(MAKECMDGOALS))
$(MISTYPED):
	+@$(or $(wildcard /usr/bin/python3),python3) -I -S $(ROOT)/common/course/usage.py goal '$@' '$(GOALS)'
