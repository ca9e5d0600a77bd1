# Included by the Makefile of a part's folder: says that make works in the lab above.

PART := $(lastword $(subst /, ,$(CURDIR)))

.PHONY: above $(MAKECMDGOALS)
above $(MAKECMDGOALS):
	+@echo 'make works in the lab above: make -C .. $(or $(MAKECMDGOALS),test) PART=$(PART)' >&2; exit 2
