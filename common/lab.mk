# Included by the Makefile of each lab and of each part's folder. common/course/lab.py carries out
# every goal, from the course's root.

# Relative, because make splits a path at a blank.
COURSE := $(patsubst %/lab.mk,%/course,$(lastword $(MAKEFILE_LIST)))
GIVEN := $(strip $(foreach name,$(.VARIABLES),$(if $(filter command,$(origin $(name))),$(name))))
PYTHON := $(or $(wildcard /usr/bin/python3),python3)
ASKED := $(or $(MAKECMDGOALS),help)
.PHONY: $(ASKED)
# Goals that call no make have no +, so that make -n only shows them.
ALONE := help hint watch progress reset sanitize figures explore profile
$(ASKED):
	$(if $(filter $(ALONE),$@),,+)@$(PYTHON) -E -S $(COURSE)/student.py lab . '$@' '$(GIVEN)'
