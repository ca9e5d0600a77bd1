# Included by the Makefile of each lab and of each part's folder. common/course/lab.py sees to every
# goal, from the course's root.

# Relative, because make takes a path with a blank for several.
ROOT := $(patsubst %/common/lab.mk,%,$(lastword $(MAKEFILE_LIST)))
GIVEN := $(strip $(foreach name,$(.VARIABLES),$(if $(filter command,$(origin $(name))),$(name))))
PYTHON := $(or $(wildcard /usr/bin/python3),python3)
LAB_PY = $(PYTHON) -E -S $(ROOT)/common/course/student.py lab . '$@' '$(GIVEN)'

# These call no make, so that make -n shows them alone.
ASKED := $(or $(MAKECMDGOALS),help)
ALONE := $(filter help hint watch progress reset sanitize figures,$(ASKED))
.PHONY: $(ASKED)
$(ALONE):
	@$(LAB_PY)
$(filter-out $(ALONE),$(ASKED)):
	+@$(LAB_PY)
