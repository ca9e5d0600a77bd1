# Included by each lab's Makefile, which has set LAB. common/course/lab.py sees to every goal, from
# the course's root.

# Relative, because make takes a path with a blank for several.
ROOT := $(patsubst %/common/lab.mk,%,$(lastword $(MAKEFILE_LIST)))
PYTHON := $(or $(wildcard /usr/bin/python3),python3)
GIVEN := $(strip $(foreach name,$(.VARIABLES),$(if $(filter command,$(origin $(name))),$(name))))
ASKED := $(or $(MAKECMDGOALS),help)
# These call no make, so that make -n shows them alone.
ALONE := $(filter help hint watch progress reset sanitize,$(ASKED))
LAB_PY = $(PYTHON) -E -S $(ROOT)/common/course/student.py lab $(LAB) '$@' '$(GIVEN)'

.PHONY: $(ASKED)
$(ALONE):
	@$(LAB_PY)
$(filter-out $(ALONE),$(ASKED)):
	+@$(LAB_PY)
